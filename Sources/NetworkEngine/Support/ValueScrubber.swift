package import Foundation

/// Removes known values from text, in every spelling that the text may use.
package struct ValueScrubber: Sendable {
    private let finder: TextFinder

    /// - Parameters:
    ///   - values: values of less than six bytes are ignored, because they occur everywhere.
    ///   - always: removed regardless of their length.
    package init(_ values: some Sequence<String>, always: some Sequence<String> = EmptyCollection()) {
        // A part of the placeholder would be found in the placeholder again.
        let isUsable = { (value: String) in
            !value.isEmpty && !value.contains(Redaction.placeholder) && !Redaction.placeholder.contains(value)
        }
        var spellings: Set<String> = []
        for value in values where isUsable(value) && value.utf8.count >= Self.minimumLength {
            spellings.formUnion(Self.spellings(of: value))
        }
        for value in always where isUsable(value) { spellings.formUnion(Self.spellings(of: value)) }
        finder = TextFinder(spellings)
    }

    package static let minimumLength = 6

    package var isEmpty: Bool { finder.isEmpty }

    package func scrub(_ text: String, placeholder: String = Redaction.placeholder) -> String {
        if isEmpty { return text }
        let data = Data(text.utf8)
        let scrubbed = scrub(data, placeholder: placeholder)
        return scrubbed == data ? text : String(decoding: scrubbed, as: UTF8.self)
    }

    package func scrub(_ data: Data, placeholder: String = Redaction.placeholder) -> Data {
        let ranges = finder.ranges(in: data)
        if ranges.isEmpty { return data }
        var result = Data()
        var end = 0
        data.withUnsafeBytes { bytes in
            for range in ranges {
                result.append(contentsOf: bytes[end..<range.lowerBound])
                result.append(contentsOf: placeholder.utf8)
                end = range.upperBound
            }
            result.append(contentsOf: bytes[end...])
        }
        return result
    }

    /// Whether the data contains one of the values.
    func finds(in data: Data) -> Bool { !finder.ranges(in: data, limit: 1).isEmpty }

    private static func spellings(of value: String) -> Set<String> {
        var spellings: Set<String> = [value]
        for allowed in [ASCIISet.lettersAndDigits, .unreserved, .query] {
            var bytes: [UInt8] = []
            bytes.append(percentEncoding: value.utf8, keeping: allowed)
            let escaped = String(decoding: bytes, as: UTF8.self)
            spellings.formUnion([escaped, escaped.lowercasingEscapes, escaped.replacing("%20", with: "+")])
        }
        for style in [JSONEncoder.OutputFormatting(), .withoutEscapingSlashes] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = style
            for spelling in encoder.spellings(of: value) {
                // JSON in a string of JSON.
                spellings.insert(spelling)
                spellings.formUnion(encoder.spellings(of: spelling))
            }
        }
        return spellings.union(value.base64Spellings)
    }
}

extension String {
    /// The text in Base64, alone and within longer text, in both alphabets; empty for a short text.
    fileprivate var base64Spellings: Set<String> {
        guard utf8.count >= ValueScrubber.minimumLength else { return [] }
        let whole = Data(utf8).base64EncodedString()
        var spellings: Set<String> = [whole, String(whole.prefix { $0 != "=" })]
        // Three bytes become four digits, so the digits depend on the number of bytes before the text.
        for count in 0..<3 {
            let digits = (Data(count: count) + Data(utf8)).base64EncodedString()
            // Only digits that are determined by the text alone.
            let (first, end) = ((8 * count + 5) / 6, 8 * (count + utf8.count) / 6)
            spellings.insert(String(digits.prefix(end).dropFirst(first)))
        }
        // The other alphabet, a form, and JSON with escaped slashes.
        for (plus, slash) in [("-", "_"), ("%2B", "%2F"), ("+", "\\/")] {
            spellings.formUnion(spellings.map { $0.replacing("+", with: plus).replacing("/", with: slash) })
        }
        return spellings
    }
}

extension JSONEncoder {
    /// The text between the quotes of a string.
    fileprivate func spellings(of value: String) -> [String] {
        guard let literal = try? encode(value) else { return [] }
        return [String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)]
    }
}

extension String {
    /// `%2F` as `%2f`.
    fileprivate var lowercasingEscapes: String {
        var left = 0
        return String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar in
                    if scalar == "%" { left = 2 } else if left > 0 { left -= 1 } else { return scalar }
                    return scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
                }))
    }
}
