import Foundation
import NetworkEngine

/// How a cache distinguishes the senders of requests.
///
/// Each request field is part of its sender's identity, unless its name is known to be the same for all users, because
/// the name of a server's credential field is not known in advance.
struct SenderRules: Sendable {
    /// Returns the sender's identity to use instead of the fields; `nil` to use the fields.
    var identify: (@Sendable (HTTPRequest) -> String?)?
    /// The lowercase names of fields that don't identify the sender.
    var sharedFields: Set<String> = []
    /// The names of cookies that don't identify the sender.
    var sharedCookies: Set<String> = []

    func sender(of request: HTTPRequest) -> CacheSender {
        if let identity = identify?(request) {
            let digest = SHA256.digest(of: ("sender:" + identity).utf8).hexadecimal
            return CacheSender(whole: digest, withoutCookies: digest, credentials: digest)
        }
        var sender = sender(of: request, isEarlier: false)
        if request.hasEarlierSender { sender.earlier = [self.sender(of: request, isEarlier: true)] }
        return sender
    }

    private func sender(of request: HTTPRequest, isEarlier: Bool) -> CacheSender {
        var cookies: [String] = []
        // Several lines of a field form one list.
        var fields: [String: (values: [String], isCredential: Bool)] = [:]
        for field in request.headers where !sharedFields.contains(field.name.lowercased()) {
            if field.name.equalsIgnoringASCIICase("Cookie") {
                cookies += identifyingCookies(in: field.value).map { Self.line("cookie", $0) }
            } else if let isCredential = request.isCredential(field) {
                fields[field.name.lowercased(), default: ([], isCredential)]
                    .values.append(request.valueOfSender(field, isEarlier: isEarlier))
            }
        }
        let lines = { (isCredential: Bool) in
            fields.filter { $0.value.isCredential == isCredential }.map { name, field in
                Self.line(name, Variant.normalized(field.values, of: name) ?? "")
            }
        }
        let (credentials, others) = (lines(true), lines(false))
        return CacheSender(
            whole: Self.digest(of: credentials + others + cookies),
            withoutCookies: Self.digest(of: credentials + others),
            credentials: Self.digest(of: credentials))
    }

    /// The value is prefixed with its length, so that it cannot look like two values.
    private static func line(_ name: String, _ value: String) -> String { "\(name):\(value.utf8.count):\(value)" }

    private static func digest(of lines: [String]) -> String {
        lines.isEmpty ? "" : SHA256.digest(of: lines.sorted().joined(separator: "\n").utf8).hexadecimal
    }

    /// The whole field, so that order and white space count, or the rest of it without some cookies.
    private func identifyingCookies(in value: String) -> [String] {
        if sharedCookies.isEmpty { return [value] }
        let pairs = value.utf8.split(separator: UInt8(ascii: ";")).map { pair in
            String(decoding: pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }, as: UTF8.self)
        }
        return pairs.filter { pair in
            let name = pair.utf8.prefix { $0 != UInt8(ascii: "=") }
            return !sharedCookies.contains(String(decoding: name, as: UTF8.self))
        }
    }
}

extension HTTPRequest {
    /// The sender's identity for the cache that the request has reached.
    var sender: CacheSender { secrets?.sender ?? SenderRules().sender(of: self) }

    /// Whether a field is known to be a credential; `nil` for a field that is the same for all senders.
    fileprivate func isCredential(_ field: HTTPHeaders.Field) -> Bool? {
        if field.name.equalsIgnoringASCIICase("Authorization") || secrets?.hides(header: field.name) == true {
            return true
        }
        return Redaction.isHarmless(header: field.name) || field.identifiesMessage ? nil : false
    }
}
