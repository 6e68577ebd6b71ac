import Foundation
import NetworkEngine

extension Cookie {
    /// Parses a `Set-Cookie` header by the algorithm in RFC 6265bis, 5.6; `nil` for a cookie that is ignored.
    ///
    /// - Parameters:
    ///   - defaultPath: the path if the attribute `Path` is not an absolute path.
    ///   - now: the start time for `Max-Age`.
    init?(header: String, defaultPath: String, now: Date) {
        let bytes = Array(header.utf8)
        guard bytes.allSatisfy(\.isLegalInCookie) else { return nil }
        let pieces = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let first = pieces.first else { return nil }
        let (name, value) = Self.parts(of: first)
        // Without an equals sign, the whole text is the value of a cookie without a name.
        let (own, content) = value.map { (name, $0) } ?? ([], name)
        self.init(name: Self.text(own), value: Self.text(content))
        guard isLegal else { return nil }
        var attributes = Attributes()
        for piece in pieces.dropFirst() {
            let (name, value) = Self.parts(of: piece)
            guard (value?.count ?? 0) <= 1024 else { continue }
            attributes.read(Self.text(name).lowercased(), value ?? [])
        }
        guard attributes.domain.allSatisfy({ $0 < 0x80 }), attributes.isSecure || !attributes.isPartitioned else {
            return nil
        }
        domain = attributes.domain.isEmpty ? nil : Self.text(attributes.domain)
        path = attributes.path.map { $0.first == UInt8(ascii: "/") ? Self.text($0) : defaultPath }
        expires = attributes.expiry(at: now)
        isSecure = attributes.isSecure
        isHTTPOnly = attributes.isHTTPOnly
        sameSite = attributes.sameSite
    }

    /// A cookie's attributes. If several have the same name, the last one is used.
    private struct Attributes {
        var domain: ArraySlice<UInt8> = []
        var path: ArraySlice<UInt8>?
        var seconds: Int64?
        var maxAge: Int64?
        var isSecure = false
        var isHTTPOnly = false
        var isPartitioned = false
        var sameSite = SameSite.unspecified

        mutating func read(_ name: String, _ value: ArraySlice<UInt8>) {
            switch name {
            case "expires": seconds = CookieDate.seconds(text(value)) ?? seconds
            case "max-age": maxAge = Self.age(value) ?? maxAge
            case "domain": domain = Self.lowercased(value.first == UInt8(ascii: ".") ? value.dropFirst() : value)
            case "path": path = value
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "partitioned": isPartitioned = true
            case "samesite":
                let rule = SameSite(rawValue: text(value).lowercased())
                sameSite = rule ?? .unspecified
            default: break
            }
        }

        /// The expiration date; `nil` for a session cookie.
        func expiry(at now: Date) -> Date? {
            if let maxAge { return maxAge <= 0 ? .distantPast : now.addingTimeInterval(TimeInterval(maxAge)) }
            return seconds.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        }

        /// A number of seconds, limited to what can be added to a date.
        private static func age(_ value: ArraySlice<UInt8>) -> Int64? {
            let isNegative = value.first == UInt8(ascii: "-")
            let digits = isNegative ? value.dropFirst() : value
            guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            let age = digits.reduce(Int64(0)) { min($0 * 10 + Int64($1 - 0x30), 1 << 40) }
            return isNegative ? -age : age
        }

        private static func lowercased(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            ArraySlice(value.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        }

        private func text(_ bytes: ArraySlice<UInt8>) -> String { Cookie.text(bytes) }
    }

    /// The texts before and after the first equals sign, without surrounding white space.
    static func parts(of piece: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?) {
        guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { return (piece.trimmingBlanks, nil) }
        return (piece[..<equals].trimmingBlanks, piece[(equals + 1)...].trimmingBlanks)
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
