import Foundation

/// The header fields, query items and body members that an interceptor added to a request.
struct RequestChanges {
    private(set) var headers: [HTTPHeaders.Field] = []
    private(set) var items: [(name: String, value: String)] = []
    private(set) var members: [(name: String, value: String)] = []
    private(set) var changesBody = false

    init(in request: HTTPRequest, since before: HTTPRequest) {
        if !request.headers.isIdentical(to: before.headers) {
            // A set only pays off for long lists.
            let known = before.headers.count > 16 ? Set(before.headers) : nil
            headers = request.headers.filter { field in !(known?.contains(field) ?? before.headers.contains(field)) }
        }
        if request.url.absoluteString != before.url.absoluteString {
            items = Self.new(
                AddressText(request.url.absoluteString).items, AddressText(before.url.absoluteString).items)
        }
        changesBody = !request.body.isIdentical(to: before.body)
        if changesBody { members = Self.new(request.bodyMembers, before.bodyMembers) }
    }

    var isEmpty: Bool { headers.isEmpty && items.isEmpty && !changesBody }

    private static func new(
        _ pairs: [(name: String, value: String)],
        _ before: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        pairs.filter { pair in !before.contains { $0 == pair } }
    }
}

extension HTTPRequest {
    /// Returns the request with an earlier version's secrets, and marks possible secrets added since.
    ///
    /// Interceptors add many things that are not secret. A header is redacted unless its name is known to be harmless.
    /// Its value is also redacted elsewhere if the name or the form of the value suggests a secret.
    package func marking(placedSince before: HTTPRequest) -> HTTPRequest {
        if secrets === before.secrets, isIdentical(to: before) { return self }
        return markingPlacement(since: before)
    }

    private func markingPlacement(since before: HTTPRequest) -> HTTPRequest {
        var request = self
        if let known = before.secrets, known !== secrets { request.secrets = known.joined(with: secrets) }
        let changes = RequestChanges(in: self, since: before)
        if changes.isEmpty { return request }
        let fields = changes.headers.filter { !Redaction.isHarmless(header: $0.name) && !$0.identifiesMessage }
        let headers = fields.filter { $0.value.utf8.count >= ValueScrubber.minimumLength }.map(\.name)
        var values: [String] = fields.flatMap { field -> [String] in
            let parts = field.secretValues
            return Redaction.isSecret(header: field.name) ? parts : parts.filter(\.looksSecret)
        }
        for (name, value) in changes.items + changes.members {
            if Redaction.isSecret(parameter: name) || value.looksSecret { values.append(value) }
        }
        if headers.isEmpty, values.isEmpty { return request }
        let secrets = request.secrets ?? RequestSecrets()
        // The interceptor may already have marked them.
        if headers.allSatisfy(secrets.hides), values.allSatisfy(secrets.holds) { return request }
        request.secrets = secrets.adding(headers: headers, values: values)
        return request
    }

    /// Returns the request with everything added since an earlier version marked as a credential.
    package func marking(credentialSince before: HTTPRequest) -> HTTPRequest {
        if isIdentical(to: before) { return self }
        let changes = RequestChanges(in: self, since: before)
        if changes.isEmpty { return self }
        var credentials: [RequestSecrets.BoundSecret] = []
        for field in changes.headers {
            // The value of a harmless header, such as a media type, is not redacted elsewhere.
            let values = Redaction.isHarmless(header: field.name) ? [""] : field.secretValues
            for value in values { credentials.append(.init(value, in: .header(field.name))) }
        }
        for item in changes.items { credentials.append(.init(item.value, in: .query(item.name))) }
        for member in changes.members { credentials.append(.init(member.value, in: .body)) }
        if changes.changesBody, changes.members.isEmpty { credentials.append(.init("", in: .body)) }
        return marking(credentials)
    }

    private func isIdentical(to other: HTTPRequest) -> Bool {
        headers.isIdentical(to: other.headers) && hasAddressAndBody(of: other)
    }

    /// Whether the address and the body equal another request's.
    func hasAddressAndBody(of other: HTTPRequest) -> Bool {
        url.absoluteString == other.url.absoluteString && body.isIdentical(to: other.body)
    }

    /// Returns the request with the given credentials marked.
    func marking(_ credentials: [RequestSecrets.BoundSecret]) -> HTTPRequest {
        if credentials.isEmpty { return self }
        let headers = credentials.compactMap { credential in
            if case .header(let name) = credential.place { name } else { nil }
        }
        var request = self
        request.secrets = (secrets ?? RequestSecrets()).adding(
            headers: headers,
            values: credentials.map(\.value),
            credentials: credentials
        )
        return request
    }
}

extension HTTPHeaders.Field {
    /// The value, and its parts that are secrets in their own right: the text after the scheme, a password.
    package var secretValues: [String] {
        let words = value.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, words[0].isToken, !words[0].contains("=") else { return [value] }
        guard words[0].lowercased() == "basic", let plain = Data(base64Encoded: words[1]) else {
            return [value, words[1]]
        }
        let password = String(decoding: plain, as: UTF8.self).drop { $0 != ":" }.dropFirst()
        return [value, words[1], String(password)]
    }

    /// Whether the field identifies messages, so that logs show it.
    package var identifiesMessage: Bool {
        ["idempotency-key", "x-request-id", "request-id", "x-correlation-id", "x-requested-with", "host", "referer"]
            .contains(name.lowercased())
    }
}

extension String {
    /// Whether the text looks like a secret: not a word, not a number, and not short.
    fileprivate var looksSecret: Bool { OpaqueText.isToken(self, minimumLength: 8) }
}

extension AddressText {
    fileprivate var items: [(name: String, value: String)] { query.map(Self.pairs(of:)) ?? [] }
}

extension RequestBody {
    /// Whether two bodies are equal, if this can be determined without reading them.
    fileprivate func isIdentical(to other: RequestBody) -> Bool {
        switch (self, other) {
        case (.absent, .absent), (.stream, .stream): true
        case (.file(let own), .file(let other)): own == other
        case (.data(let own), .data(let other)): own.isIdentical(to: other)
        default: false
        }
    }
}

extension Data {
    fileprivate func isIdentical(to other: Data) -> Bool {
        guard count == other.count else { return false }
        let isShared = withUnsafeBytes { own in other.withUnsafeBytes { own.baseAddress == $0.baseAddress } }
        return isShared || self == other
    }
}

extension HTTPRequest {
    /// The fields of a form or the string members of a JSON object. Empty for large and compressed bodies.
    fileprivate var bodyMembers: [(name: String, value: String)] {
        guard let data = body.data, data.count <= 1 << 18, !headers.contains("Content-Encoding") else { return [] }
        if headers["Content-Type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            return AddressText.pairs(of: String(decoding: data, as: UTF8.self))
        }
        guard data.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"),
            data.last(where: { $0 > 0x20 }) == UInt8(ascii: "}"),
            let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return [] }
        return object.compactMap { name, value in (value as? String).map { (name, $0) } }
    }
}
