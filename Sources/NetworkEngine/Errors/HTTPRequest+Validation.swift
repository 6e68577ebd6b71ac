import Foundation

extension HTTPRequest {
    /// Throws `.invalidRequest` for a request that is illegal in HTTP. The reason contains the name of the field.
    ///
    /// The platform does not check this. URLSession on Linux sends a line break in a method or header name, which
    /// smuggles a second request, and silently drops a header with a line break in its value.
    package func validate() throws(NetworkError) {
        if let reason = methodFault ?? url.addressFault ?? headers.fault {
            throw NetworkError(kind: .invalidRequest, reason: reason, request: self)
        }
        if let timeout, timeout <= .zero {
            throw NetworkError(kind: .invalidRequest, reason: "timeout \(timeout) is not above zero", request: self)
        }
    }

    private var methodFault: String? {
        method.rawValue.isToken ? nil : "method \(method.rawValue.debugDescription) is not a token"
    }
}

extension HTTPHeaders {
    /// The first violation by a field, with the field's name.
    package var fault: String? {
        for field in self {
            guard field.name.isToken else { return "header name \(field.name.debugDescription) is not a token" }
            if !field.value.isFieldValue {
                return "the value of header \(field.name) has a control character in it"
            }
            if let owner = Self.ownedHeaders.first(where: { $0.equalsIgnoringASCIICase(field.name) }) {
                return "header \(owner) belongs to the transport and cannot be set"
            }
        }
        return nil
    }

    private static let ownedHeaders = ["Content-Length", "Transfer-Encoding", "Connection"]
}

extension URL {
    /// The reason why a request cannot be sent to this address; `nil` for a valid one.
    ///
    /// Reads the bytes once. Reading the components of a URL costs ten times as much, and each request is checked more
    /// than once: by the builder, after the interceptors, and by the transport, which may be used alone.
    package var addressFault: String? {
        var text = absoluteString
        return text.withUTF8 { bytes in
            guard let start = Self.authorityStart(in: bytes) else {
                return scheme.map { "the URL's scheme \($0.debugDescription) is not http or https" }
                    ?? "the URL has no scheme; it must be http or https"
            }
            if Self.hasPlainAuthority(bytes, from: start) { return nil }
            var end = start
            while end < bytes.count, bytes[end] != 0x2F, bytes[end] != 0x3F, bytes[end] != 0x23 { end += 1 }
            return Self.fault(inAuthority: bytes[start..<end])
        }
    }

    /// The start of the authority after `http://` or `https://`.
    private static func authorityStart(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        for (start, expected) in [(8, "https://" as StaticString), (7, "http://")] where bytes.count >= start {
            let isSame = expected.withUTF8Buffer { expected in
                (0..<start).allSatisfy {
                    bytes[$0] == expected[$0] || ($0 < start - 3 && bytes[$0] | 0x20 == expected[$0])
                }
            }
            if isSame { return start }
        }
        return nil
    }

    /// Whether a name or an IPv4 address follows, optionally with a port.
    private static func hasPlainAuthority(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
        let plain = ASCIISet.unreserved
        var end = start
        while end < bytes.count, plain.contains(bytes[end]) { end += 1 }
        guard end > start else { return false }
        var port = 1
        if end < bytes.count, bytes[end] == 0x3A {
            (port, end) = (0, end + 1)
            while end < bytes.count, port < 1 << 16, (0x30...0x39).contains(bytes[end]) {
                port = port * 10 + Int(bytes[end]) - 0x30
                end += 1
            }
        }
        let isEnd = end == bytes.count || bytes[end] == 0x2F || bytes[end] == 0x3F || bytes[end] == 0x23
        return isEnd && (1...65535).contains(port)
    }

    private static func fault(inAuthority authority: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        if authority.contains(UInt8(ascii: "@")) { return "the URL carries credentials; send them in a header instead" }
        var host = 0
        var port: Int?
        var isBracketed = false
        for byte in authority {
            switch byte {
            case UInt8(ascii: "["): isBracketed = true
            case UInt8(ascii: "]"): isBracketed = false
            case UInt8(ascii: ":") where !isBracketed && port == nil:
                port = 0
                continue
            case 0x30...0x39: break
            case 0...0x20, 0x7F, 0x22, 0x25, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D:
                // In a host, only a zone identifier may contain a percent sign.
                if byte == 0x25 && isBracketed { break }
                return "the URL's host has an illegal character"
            default:
                if port != nil { return "the URL's port is not a number" }
            }
            if let digits = port { port = min(digits * 10 + Int(byte) - 0x30, 1 << 20) } else { host += 1 }
        }
        if host == 0 { return "the URL has no host" }
        if let port, !(1...65535).contains(port), authority.last != UInt8(ascii: ":") {
            return "the URL's port is out of range"
        }
        return nil
    }
}

extension BodyStream {
    /// Marks the stream as sent. Throws the second time, unless the stream is replayable.
    package func beginSending() throws(NetworkError) {
        guard mayBeSent() else {
            let reason = "the body has a stream that can be read once, and was sent before or is in it twice"
            throw NetworkError(.requestBody, reason: reason)
        }
    }
}
