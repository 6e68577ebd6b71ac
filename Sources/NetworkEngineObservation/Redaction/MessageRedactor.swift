import Foundation
package import NetworkEngine

/// Removes secrets from messages before they are shown or recorded: by the names of headers, query items, form fields,
/// parts, elements and JSON members, and by the format of tokens.
///
/// The redactor remembers removed values, so that they can also be removed elsewhere. Redacted values do not change.
package struct MessageRedactor: Sendable {
    var rules: RedactionRules
    /// The values removed so far.
    package var secrets: Set<String> = []
    /// The number of multipart bodies and markup texts that enclose the body or the text.
    var level = 0
    /// The total length of the documents in the body or address that may still be searched.
    var room = 0

    package init(_ rules: RedactionRules = RedactionRules()) { self.rules = rules }

    /// - Parameter request: its body in memory.
    package mutating func redact(_ request: HTTPRequest) -> HTTPRequest {
        learn(from: request.secrets)
        var redacted = request
        redacted.url = URL(string: redact(address: request.url.absoluteString)) ?? request.url
        redacted.headers = redact(request.headers)
        if let data = request.body.data {
            redacted.body = .data(
                redact(body: data, type: request.headers["Content-Type"], coding: request.headers["Content-Encoding"]))
        }
        return redacted
    }

    /// - Parameter known: the secrets of the request.
    package mutating func redact(_ response: HARResponse, to known: RequestSecrets?) -> HARResponse {
        learn(from: known)
        var redacted = response
        let original = HTTPHeaders(recorded: response.headers)
        let headers = redact(original)
        redacted.headers = headers.recorded
        redacted._trailers = response._trailers.map { redact(HTTPHeaders(recorded: $0)).recorded }
        redacted.redirectURL = headers["Location"] ?? ""
        redacted.comment = response.comment.map { Redaction.describe(text: $0, hiding: known) }
        let type = response.content.mimeType
        let coding = original["Content-Encoding"]
        let content = HARText(redact(body: response.content.data, type: type, coding: coding, isAnswer: true))
        (redacted.content.text, redacted.content.encoding) = (content.text, content.encoding)
        return redacted
    }

    private mutating func learn(from known: RequestSecrets?) {
        rules.secrets = known
        if let known { secrets.formUnion(known.values) }
    }

    mutating func redact(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                var field = field
                if rules.isSecret(header: field.name) {
                    remember(header: field)
                    field.value = Redaction.placeholder
                } else if Redaction.isChallenge(header: field.name), !rules.isHarmless(header: field.name) {
                    field.value = Redaction.describe(challenges: field.value) { text in
                        OpaqueText.hidingTokens(
                            in: AddressText.rewriting(addressesIn: text) { redact(address: $0) })
                    }
                } else if Self.addressHeaders.contains(field.name.lowercased()) {
                    field.value = redact(address: field.value)
                } else {
                    let value = AddressText.rewriting(addressesIn: field.value) { redact(address: $0) }
                    field.value = OpaqueText.hidingTokens(in: value)
                }
                return field
            })
    }

    private mutating func remember(header field: HTTPHeaders.Field) {
        let name = field.name.lowercased()
        guard name == "cookie" || name == "set-cookie" else { return secrets.formUnion(field.secretValues) }
        // A combining mark after a separator makes both one `Character`.
        let pairs = field.value.unicodeScalars.split(separator: ";").prefix(name == "cookie" ? .max : 1)
        for pair in pairs { secrets.insert(String(pair.drop { $0 != "=" }.dropFirst())) }
    }

    private static let addressHeaders: Set<String> = ["location", "content-location", "referer", "origin"]
}
