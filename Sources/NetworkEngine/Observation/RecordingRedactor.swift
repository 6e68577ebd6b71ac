package import Foundation

/// Takes secrets out of exchanges before they are written down: by the names of headers, query items, form fields, parts
/// and JSON members.
///
/// What it takes out it remembers, so that the same values can be searched for where no name gives them away.
package struct RecordingRedactor: Sendable {
    private let isSecretHeader: @Sendable (String) -> Bool
    private let isSecretParameter: @Sendable (String) -> Bool
    private let isSecretInAnswer: @Sendable (String) -> Bool
    /// The values that were taken out so far.
    package private(set) var secrets: Set<String> = []

    /// - Parameter isSecretInAnswer: for the members of a response's JSON, in which `code` and `key` are mostly harmless.
    package init(
        isSecretHeader: @escaping @Sendable (String) -> Bool = { Redaction.isSecret(header: $0) },
        isSecretParameter: @escaping @Sendable (String) -> Bool = { Redaction.isSecret(parameter: $0) },
        isSecretInAnswer: @escaping @Sendable (String) -> Bool = {
            Redaction.isSecret(parameter: $0) && !Self.harmlessInAnswers.contains($0.lowercased())
        }
    ) {
        self.isSecretHeader = isSecretHeader
        self.isSecretParameter = isSecretParameter
        self.isSecretInAnswer = isSecretInAnswer
    }

    package static let harmlessInAnswers: Set<String> = ["code", "key"]

    /// - Parameter request: its body in memory.
    package mutating func redact(_ request: HTTPRequest) -> HTTPRequest {
        var redacted = request
        redacted.url = URL(string: redact(address: request.url.absoluteString)) ?? request.url
        redacted.headers = redact(request.headers)
        if let data = request.body.data {
            redacted.body = .data(redact(body: data, type: request.headers["Content-Type"]))
        }
        return redacted
    }

    package mutating func redact(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                var field = field
                if isSecretHeader(field.name) {
                    remember(header: field)
                    field.value = Redaction.placeholder
                } else if Self.addressHeaders.contains(field.name.lowercased()) {
                    field.value = redact(address: field.value)
                }
                return field
            })
    }

    /// The bytes of a body without its secrets; what is no form is searched for JSON.
    package mutating func redact(body: Data, type: String?, isAnswer: Bool = false) -> Data {
        let type = type ?? ""
        let essence = type.prefix { $0 != ";" }.lowercased()
        if essence.hasPrefix("application/x-www-form-urlencoded") {
            return Data(redact(items: String(decoding: body, as: UTF8.self), placeholder: Self.encodedPlaceholder).utf8)
        }
        if essence.hasPrefix("multipart/"), let boundary = Self.boundary(in: type) {
            return redact(parts: body, boundary: boundary)
        }
        guard body.contains(UInt8(ascii: "\"")), String(data: body, encoding: .utf8) != nil else { return body }
        let isSecret = isAnswer ? isSecretInAnswer : isSecretParameter
        var redactor = JSONRedactor(isSecret: isSecret)
        let redacted = redactor.redact(body)
        secrets.formUnion(redactor.found)
        return redacted
    }

    private mutating func remember(header field: HTTPHeaders.Field) {
        let name = field.name.lowercased()
        if name == "cookie" || name == "set-cookie" {
            let pairs = field.value.split(separator: ";").prefix(name == "cookie" ? .max : 1)
            for pair in pairs { secrets.insert(String(pair.drop { $0 != "=" }.dropFirst())) }
            return
        }
        secrets.insert(field.value)
        let words = field.value.split(separator: " ", maxSplits: 1).map(String.init)
        guard name == "authorization", words.count == 2 else { return }
        secrets.insert(words[1])
        guard words[0].lowercased() == "basic", let plain = Data(base64Encoded: words[1]) else { return }
        secrets.insert(String(String(decoding: plain, as: UTF8.self).drop { $0 != ":" }.dropFirst()))
    }

    private static let addressHeaders: Set<String> = ["location", "content-location", "referer", "link", "origin"]
    private static let encodedPlaceholder = "%3Credacted%3E"
}

extension RecordingRedactor {
    /// An address without credentials and the values of secret items in its query and fragment.
    private mutating func redact(address: String) -> String {
        var text = address
        if let scheme = text.range(of: "://") {
            let end = text[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
            if let at = text[scheme.upperBound..<end].lastIndex(of: "@") {
                let password = text[scheme.upperBound..<at].drop { $0 != ":" }.dropFirst()
                secrets.insert(String(password))
                text.removeSubrange(scheme.upperBound...at)
            }
        }
        var pieces: [String] = []
        var rest = text[...]
        while let mark = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            let isFirst = pieces.isEmpty
            pieces.append(isFirst ? String(rest[..<mark]) : redact(items: String(rest[..<mark])))
            pieces.append(String(rest[mark]))
            rest = rest[rest.index(after: mark)...]
        }
        pieces.append(pieces.isEmpty ? String(rest) : redact(items: String(rest)))
        return pieces.joined()
    }

    private mutating func redact(items: String, placeholder: String = Self.encodedPlaceholder) -> String {
        items.split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let name = Self.plain(item[..<equals])
            guard isSecretParameter(name) else { return String(item) }
            secrets.insert(Self.plain(item[equals...].dropFirst()))
            return "\(item[...equals])\(placeholder)"
        }.joined(separator: "&")
    }

    private static func plain(_ text: Substring) -> String {
        let spaced = String(text.map { $0 == "+" ? " " : $0 })
        return spaced.removingPercentEncoding ?? spaced
    }

    private static func boundary(in type: String) -> String? {
        guard let mark = type.range(of: "boundary=", options: .caseInsensitive) else { return nil }
        let text = type[mark.upperBound...].prefix { $0 != ";" }
        return text.trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
    }

    private mutating func redact(parts body: Data, boundary: String) -> Data {
        let line = Data("--\(boundary)".utf8)
        var redacted = Data()
        var rest = body[...]
        while let start = rest.range(of: line) {
            redacted += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            guard let head = rest.range(of: Data("\r\n\r\n".utf8)),
                let end = rest.range(of: Data("\r\n--\(boundary)".utf8)),
                head.upperBound <= end.lowerBound
            else { continue }
            let name = Self.partName(String(decoding: rest[..<head.lowerBound], as: UTF8.self))
            redacted += rest[..<head.upperBound]
            if isSecretParameter(name) {
                secrets.insert(String(decoding: rest[head.upperBound..<end.lowerBound], as: UTF8.self))
                redacted += Data(Redaction.placeholder.utf8)
            } else {
                redacted += redact(body: Data(rest[head.upperBound..<end.lowerBound]), type: nil)
            }
            rest = rest[end.lowerBound...]
        }
        return redacted + rest
    }

    private static func partName(_ head: String) -> String {
        guard let mark = head.range(of: "name=\"") else { return "" }
        return String(head[mark.upperBound...].prefix { $0 != "\"" })
    }
}
