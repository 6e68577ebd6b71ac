import Foundation

/// The names of hosts, in the one form in which they are compared.
package enum HostName {
    /// The name in ASCII and in small letters: `xn--bcher-kva.example` for `Bücher.example`.
    ///
    /// Whatever has no such form comes back as it is and equals nothing but itself.
    package static func comparable(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") && !(0x41...0x5A).contains($0) }
        if isPlain { return name }
        // Foundation escapes what it does not convert. In brackets a percent sign is before the zone of an address.
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

    /// Why no host of the Internet can have this name; `nil` for one that may.
    package static func fault(in name: String) -> String? {
        if name.utf8.contains(UInt8(ascii: "%")) { return "has a percent sign in it" }
        let ascii = comparable(name)
        let labels = ascii.split(separator: ".", omittingEmptySubsequences: false)
        // A dot at the end names the same host.
        let own = labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
        if own.isEmpty || own.contains(where: \.isEmpty) { return "has an empty part" }
        let isLegal = ascii.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
        }
        if !isLegal { return "has a character that is none of a name" }
        if own.contains(where: { $0.utf8.count > 63 }) || ascii.utf8.count > 254 { return "is too long" }
        // Our conversion must be the platform's, or the pin would never be found again.
        guard name.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        let host = URL(string: "https://\(name)/")?.host.map(comparable)
        return host == ascii ? nil : "is to be written in its ASCII form, which begins with xn--"
    }

    /// What separates the parts of a name, in every script.
    private static let dots: [Unicode.Scalar] = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
}
