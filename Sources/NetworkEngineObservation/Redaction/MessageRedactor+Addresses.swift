import Foundation
import NetworkEngine

extension MessageRedactor {
    /// An address without credentials, and without the query and fragment values that have secret or unknown names.
    ///
    /// A short digest replaces a value with an unknown name, so that requests with different values remain
    /// distinguishable.
    mutating func redact(address: String) -> String {
        room = Self.room(for: address.utf8.count)
        var parts = AddressText(address)
        if let userinfo = parts.userinfo {
            secrets.insert(String(userinfo.drop { $0 != ":" }.dropFirst()))
            parts.userinfo = nil
        }
        parts.path = Redaction.describe(path: parts.path, placeholder: Redaction.placeholderInAddress)
        parts.query = parts.query.map { redact(query: $0) }
        parts.fragment = parts.fragment.map { redact(query: $0) }
        return parts.text
    }

    private mutating func redact(query: String) -> String {
        AddressText.rewriting(items: query) { name, value in
            if value.isEmpty || Self.isRedacted(value) { return nil }
            guard let name else { return Self.isWord(value) ? nil : Self.digest(of: value) }
            if rules.isSecret(item: name) {
                secrets.insert(value)
                return Redaction.placeholderInAddress
            }
            let isShown = rules.isHarmless(item: name) && rewrite(document: value) == nil
            return isShown ? nil : Self.digest(of: value)
        }
    }

    /// The fields of a form without secret values.
    mutating func redact(form: String) -> String {
        AddressText.rewriting(items: form) { name, value in
            guard let name, !value.isEmpty, !Self.isRedacted(value) else { return nil }
            if rules.isSecret(parameter: name) {
                secrets.insert(value)
                return Redaction.placeholderInAddress
            }
            let rewritten = rewrite(document: value)
            return rewritten.map { text in
                var bytes: [UInt8] = []
                bytes.append(percentEncoding: text.utf8, keeping: .unreserved)
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    /// Removes secrets from a text that is, or contains, a JSON or GraphQL document.
    ///
    /// - Returns: `nil` if nothing changes.
    mutating func rewrite(document text: String, isAnswer: Bool = false) -> String? {
        var result = text
        if JSONRedactor.mayHaveDocument(text) {
            room -= text.utf8.count
            guard room >= 0 else { return Redaction.placeholder }
            result = String(decoding: redact(json: Data(text.utf8), isAnswer: isAnswer), as: UTF8.self)
        }
        if !JSONRedactor.isDocument(text) { result = rewrite(text: result) ?? result }
        return result == text ? nil : result
    }

    /// Removes assigned secrets, tokens and secret query items in addresses from a text.
    ///
    /// - Returns: `nil` if nothing changes.
    mutating func rewrite(text: String) -> String? {
        if level < Self.levelLimit, Self.isMarkup(text) {
            room -= text.utf8.count
            guard room >= 0 else { return Redaction.placeholder }
            level += 1
            defer { level -= 1 }
            let redacted = redact(markup: text)
            return redacted == text ? nil : redacted
        }
        var assignments = AssignedSecrets { [rules] in rules.isSecret(parameter: $0) }
        var result = OpaqueText.hidingTokens(in: assignments.redact(text))
        secrets.formUnion(assignments.found)
        result = AddressText.rewriting(addressesIn: result) { address in
            var parts = AddressText(address)
            if let userinfo = parts.userinfo {
                secrets.insert(String(userinfo.drop { $0 != ":" }.dropFirst()))
                parts.userinfo = nil
            }
            parts.path = Redaction.describe(path: parts.path, placeholder: Redaction.placeholderInAddress)
            parts.query = parts.query.map { hide(secretItemsOf: $0) }
            parts.fragment = parts.fragment.map { hide(secretItemsOf: $0) }
            return parts.text
        }
        return result == text ? nil : result
    }

    private static func isMarkup(_ text: String) -> Bool {
        text.utf8.first { $0 > 0x20 } == UInt8(ascii: "<") && (text.contains("</") || text.contains("/>"))
    }

    private mutating func hide(secretItemsOf query: String) -> String {
        AddressText.rewriting(items: query) { name, value in
            guard let name, !value.isEmpty, !Self.isRedacted(value), rules.isSecret(parameter: name) else { return nil }
            secrets.insert(value)
            return Redaction.placeholderInAddress
        }
    }

    /// Short, so that it can hardly confirm a guess of a long value.
    private static func digest(of value: String) -> String {
        var digest = SHA256()
        var text = value
        text.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
        return "%3Credacted:\(digest.hexadecimal.prefix(6))%3E"
    }

    private static func isRedacted(_ value: String) -> Bool { value.hasPrefix("<redacted") && value.hasSuffix(">") }

    private static func isWord(_ value: String) -> Bool {
        value.utf8.count <= 32 && !OpaqueText.isToken(value, minimumLength: 16)
    }
}
