import Foundation

/// Host names in a comparable form.
package enum HostName {
    /// The name in lowercase ASCII: `xn--bcher-kva.example` for `Bücher.example`.
    ///
    /// A name without such a form is returned unchanged.
    package static func comparable(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") && !(0x41...0x5A).contains($0) }
        if isPlain { return name }
        // Foundation escapes a name that it does not convert. In brackets, a percent sign precedes an address's zone.
        let text = name.utf8.first == UInt8(ascii: "[") ? name : name.removingPercentEncoding ?? name
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        let mapped = text.precomposedStringWithCompatibilityMapping.lowercased()
            .precomposedStringWithCompatibilityMapping
        let labels = mapped.unicodeScalars
            .split(omittingEmptySubsequences: false) { dots.contains($0) }
            .map { label in
                label.allSatisfy(\.isASCII) ? String(label) : Punycode.encode(label).map { "xn--" + $0 }
            }
        let known = labels.compactMap(\.self)
        return known.count == labels.count ? known.joined(separator: ".") : text
    }

    /// The reason why no host can have this name; `nil` for a valid name.
    static func fault(in name: String) -> String? {
        if name.utf8.contains(UInt8(ascii: "%")) { return "has a percent sign in it" }
        let ascii = comparable(name)
        let labels = ascii.split(separator: ".", omittingEmptySubsequences: false)
        // A trailing dot does not change the host.
        let own = labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
        if own.isEmpty || own.contains(where: \.isEmpty) { return "has an empty part" }
        let isLegal = ascii.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
        }
        if !isLegal { return "has an illegal character" }
        if own.contains(where: { $0.utf8.count > 63 }) || ascii.utf8.count > 254 { return "is too long" }
        // A pin would never be found if this conversion differed from the platform's.
        guard name.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        let host = URL(string: "https://\(name)/")?.host.map(comparable)
        return host == ascii ? nil : "is to be written in its ASCII form, which begins with xn--"
    }

    /// Whether a name, without brackets, is an IP address in any notation.
    ///
    /// As in the URL standard, a name is an IPv4 address if its last label is a number.
    package static func isAddress(_ name: String) -> Bool {
        if name.utf8.contains(UInt8(ascii: ":")) { return true }
        guard let last = name.utf8.split(separator: UInt8(ascii: ".")).last.map({ Array($0) }) else { return false }
        if last.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        let isHexadecimal = last.starts(with: "0x".utf8) || last.starts(with: "0X".utf8)
        return isHexadecimal && last.dropFirst(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    /// The separators of labels, in every script.
    private static let dots: [Unicode.Scalar] = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
}

/// Encodes Unicode text with the letters, digits and hyphens of a host name (RFC 3492).
package enum Punycode {
    private static let (base, tMin, tMax, skew, damp, initialBias, initialCode) = (36, 1, 26, 38, 700, 72, 0x80)

    /// The ASCII form without `xn--`; `nil` if it is too long for a label.
    static func encode(_ label: some Collection<Unicode.Scalar>) -> String? {
        // Longer labels do not fit. The limit also keeps all numbers below small.
        guard label.prefix(64).count < 64 else { return nil }
        let codes = label.map { Int($0.value) }
        var output = codes.filter { $0 < initialCode }
        let basicCount = output.count
        if basicCount > 0 { output.append(Int(UInt8(ascii: "-"))) }
        var (code, delta, bias, handled) = (initialCode, 0, initialBias, basicCount)
        while let next = codes.filter({ $0 >= code }).min() {
            delta += (next - code) * (handled + 1)
            code = next
            for other in codes {
                if other < code { delta += 1 }
                guard other == code else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, to: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return String(decoding: output.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Writes a number as digits of growing weight. The first digit below its threshold is the last one.
    private static func append(_ number: Int, _ bias: Int, to output: inout [Int]) {
        var rest = number
        var weight = base
        while true {
            let threshold = min(max(weight - bias, tMin), tMax)
            guard rest >= threshold else { return output.append(digit(rest)) }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            weight += base
        }
    }

    /// Letters for 0 to 25, digits from there on.
    private static func digit(_ value: Int) -> Int { value < 26 ? 0x61 + value : 0x30 + value - 26 }

    private static func adapted(_ delta: Int, to count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var bias = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            bias += base
        }
        return bias + (base - tMin + 1) * delta / (delta + skew)
    }
}
