package import Foundation

extension URL {
    /// Scheme, host and port of a valid address: whom connections are shared with.
    ///
    /// Looks at the text: asking a URL for its parts costs more than everything else that is done to admit a request.
    package var origin: String {
        var text = absoluteString
        return text.withUTF8 { Self.origin($0) }
    }

    /// Whether scheme, host and port are the same. A default port equals none.
    package func hasSameOrigin(as other: URL) -> Bool { origin == other.origin }

    /// Bytes, since finding one text in another goes through `NSString` on Linux, and every request comes here.
    private static func origin(_ text: UnsafeBufferPointer<UInt8>) -> String {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8) else {
            return String(decoding: text, as: UTF8.self)
        }
        let end = text[(colon + 3)...].firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? text.endIndex
        var origin = text[..<end]
        let port = defaultPort(of: text[..<colon])
        if let port, origin.suffix(port.count).elementsEqual(port) {
            origin = origin.dropLast(port.count)
        } else if origin.last == UInt8(ascii: ":") {
            origin = origin.dropLast()
        }
        let name = String(decoding: origin, as: UTF8.self)
        if origin.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) { return normalized(name) }
        return origin.contains { (0x41...0x5A).contains($0) } ? name.lowercased() : name
    }

    /// The same origin with its host as hosts are compared.
    private static func normalized(_ origin: String) -> String {
        let start = origin.utf8.firstIndex(of: UInt8(ascii: "/")).map { origin.utf8.index($0, offsetBy: 2) }
        let authority = origin[(start ?? origin.startIndex)...]
        let isBracketed = authority.utf8.first == UInt8(ascii: "[")
        let end = isBracketed ? nil : authority.utf8.lastIndex(of: UInt8(ascii: ":"))
        let host = authority[..<(end ?? authority.endIndex)]
        return origin[..<authority.startIndex].lowercased() + HostName.comparable(String(host))
            + authority[host.endIndex...]
    }

    /// `:80` or `:443`.
    private static func defaultPort(of scheme: Slice<UnsafeBufferPointer<UInt8>>) -> String.UTF8View? {
        // Without its fifth bit a letter of ASCII is a large one.
        switch scheme.count {
        case 4 where scheme.lazy.map { $0 & 0xDF }.elementsEqual("HTTP".utf8): ":80".utf8
        case 5 where scheme.lazy.map { $0 & 0xDF }.elementsEqual("HTTPS".utf8): ":443".utf8
        default: nil
        }
    }
}

extension TransportContext {
    /// Where the exchange stands in the queue.
    package var rank: AdmissionQueue.Rank {
        if isRefresh { return .refresh }
        return switch priority {
        case .high: .high
        case .normal: .normal
        case .low: .low
        }
    }
}
