import Foundation

/// A text with placeholders such as `{{id}}` or `{{query.page}}` that are filled in for each request.
struct FixtureTemplate: Sendable {
    private enum Part: Sendable {
        case text(String)
        case placeholder(String, offset: Int)
    }

    private let parts: [Part]

    init(_ text: String) {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.range(of: "{{"), let close = rest[open.upperBound...].range(of: "}}") {
            let name = rest[open.upperBound..<close.lowerBound].filter { $0 != " " }
            let isName = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
            let end = isName ? close.upperBound : open.upperBound
            parts.append(.text(String(rest[..<(isName ? open.lowerBound : end)])))
            if isName { parts.append(.placeholder(name, offset: text[..<open.lowerBound].utf8.count)) }
            rest = rest[end...]
        }
        self.parts = parts + [.text(String(rest))]
    }

    /// Returns the text with every placeholder filled in, escaped for use inside a JSON string.
    ///
    /// - Parameter value: Returns the value for a name; `nil` throws an error for that name.
    func filled(_ value: (_ name: String) -> String?) throws(Unknown) -> String {
        var filled = ""
        for part in parts {
            switch part {
            case .text(let text): filled += text
            case .placeholder(let name, let offset):
                guard let value = value(name) else { throw Unknown(name: name, offset: offset) }
                filled += value.escapedForJSON
            }
        }
        return filled
    }

    struct Unknown: Error {
        let name: String
        let offset: Int
    }
}

extension String {
    fileprivate var escapedForJSON: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
