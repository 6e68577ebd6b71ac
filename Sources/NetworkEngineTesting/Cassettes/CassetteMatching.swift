import Foundation
public import NetworkEngine
import NetworkEngineMocks
import NetworkEngineObservation

/// The parts of a request that must match the recorded exchange.
///
/// ```swift
/// var matching = CassetteMatching([.method, .url, .body])
/// matching.ignoredParameters = ["timestamp", "nonce"]
/// ```
/// Secrets are not compared: both requests are redacted first. A placeholder in a recorded path segment, query, header
/// or body matches any value. If several exchanges match, the one with the fewest placeholders is played.
public struct CassetteMatching: Sendable {
    /// Parts of a request.
    public struct Parts: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The method.
        public static let method = Self(rawValue: 1 << 0)
        /// Scheme, host and port.
        public static let origin = Self(rawValue: 1 << 1)
        /// The path.
        public static let path = Self(rawValue: 1 << 2)
        /// The query items. Their order counts only among items with the same name.
        public static let query = Self(rawValue: 1 << 3)
        /// The body: JSON by value, a form by its fields, anything else by its bytes.
        public static let body = Self(rawValue: 1 << 4)
        /// The origin, the path and the query.
        public static let url: Self = [.origin, .path, .query]
    }

    /// The parts that must be equal.
    public var parts: Parts
    /// Headers that must be equal.
    public var headers: Set<String> = []
    /// Query items, form fields and members of JSON objects that may differ or be missing.
    public var ignoredParameters: Set<String> = []
    /// An additional condition. Both requests are redacted.
    public var condition: (@Sendable (_ request: HTTPRequest, _ recorded: HTTPRequest) -> Bool)?

    /// Compares the given parts; method and URL by default.
    public init(_ parts: Parts = [.method, .url]) { self.parts = parts }
}

extension CassetteMatching {
    /// Returns the differences from a recorded request.
    func compare(_ request: HTTPRequest, with recorded: HTTPRequest) -> CassetteComparison {
        var result = CassetteComparison()
        func check(
            _ part: Parts, _ name: String, _ new: @autoclosure () -> ComparedPart,
            _ old: @autoclosure () -> ComparedPart, weight: Int
        ) {
            guard parts.contains(part) else { return }
            let (actual, expected) = (new(), old())
            if actual.text == expected.text { return }
            if let count = actual.value.hiddenValues(in: expected.value) {
                result.hiddenValues += count
            } else {
                let words = "the \(name) is \(actual.text.shortened), not \(expected.text.shortened)"
                result.differences.append((words, weight))
            }
        }
        let (new, old) = (MockAddress(request.url), MockAddress(recorded.url))
        let (method, oldMethod) = (request.method.rawValue, recorded.method.rawValue)
        check(.method, "method", ComparedPart(method), ComparedPart(oldMethod), weight: 50)
        check(.origin, "origin", ComparedPart(new.origin), ComparedPart(old.origin), weight: 200)
        check(.path, "path", Self.path(new.path), Self.path(old.path), weight: 100)
        check(.query, "query", query(new.items), query(old.items), weight: 10)
        check(.body, "body", body(of: request), body(of: recorded), weight: 10)
        for name in headers.sorted() {
            let (value, oldValue) = (request.headers[name], recorded.headers[name])
            if value == oldValue { continue }
            if let value, let oldValue, RedactedText(oldValue.utf8).matches(value) {
                result.hiddenValues += 1
            } else {
                let texts = [value, oldValue].map { $0.map(\.debugDescription) ?? "missing" }
                result.differences.append(("header \(name) is \(texts[0]), not \(texts[1])", 10))
            }
        }
        if let condition, !condition(request, recorded) {
            result.differences.append(("its condition is not met", 10))
        }
        return result
    }

    private static func path(_ path: String) -> ComparedPart {
        let plain = path.replacing(Redaction.placeholderInAddress, with: Redaction.placeholder)
        let segments = plain.split(separator: "/", omittingEmptySubsequences: false)
        return ComparedPart(text: path, value: .array(segments.map { JSONValue.string(String($0)) }))
    }

    private func query(_ items: [(name: String, value: String)]) -> ComparedPart {
        let kept = items.filter { !ignoredParameters.contains($0.name) }
        // Sorted by name and stable, so that only the order within one name counts.
        let sorted = kept.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
        let texts = sorted.map { "\($0.element.name.inItem)=\($0.element.value.inItem)" }
        let values = kept.reduce(into: [String: [JSONValue]]()) { $0[$1.name, default: []].append(.string($1.value)) }
        return ComparedPart(
            text: texts.joined(separator: "&"), value: .object(values.mapValues { JSONValue.array($0) }))
    }

    /// The body in a normalized form.
    private func body(of request: HTTPRequest) -> ComparedPart {
        guard let body = request.body.data, !body.isEmpty else { return ComparedPart("") }
        // Compressors produce different output from the same bytes.
        let data = BodyCoding.plain(body, coding: request.headers["Content-Encoding"]) ?? body
        if request.headers["Content-Type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            return query(MockAddress.items(String(decoding: data, as: UTF8.self)[...]))
        }
        if let value = JSONValue(redacted: data)?.leavingOut(ignoredParameters) {
            return ComparedPart(text: value.normalized, value: value)
        }
        if let text = String(data: data, encoding: .utf8) { return ComparedPart(text) }
        let text = data.base64EncodedString()
        // One character for each byte, so that placeholders can be found.
        return ComparedPart(text: text, value: .string(String(data: data, encoding: .isoLatin1) ?? text))
    }
}

extension JSONValue {
    /// The JSON without the members of these names, on any level.
    fileprivate func leavingOut(_ ignored: Set<String>) -> JSONValue {
        if ignored.isEmpty { return self }
        switch self {
        case .null, .bool, .number, .string: return self
        case .array(let values): return .array(values.map { $0.leavingOut(ignored) })
        case .object(let members):
            return .object(members.filter { !ignored.contains($0.key) }.mapValues { $0.leavingOut(ignored) })
        }
    }

    /// One normalized spelling for all equivalent JSON.
    fileprivate var normalized: String {
        switch self {
        case .null, .bool, .number: return summary
        case .string(let text): return text.debugDescription
        case .array(let values): return "[" + values.map(\.normalized).joined(separator: ",") + "]"
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            return "{" + sorted.map { "\($0.key.debugDescription):\($0.value.normalized)" }.joined(separator: ",") + "}"
        }
    }
}

extension String {
    /// A name or value with escapes for the separators of items, so that `a=1%26b%3D2` is not equal to `a=1&b=2`.
    fileprivate var inItem: String {
        // A combining mark after a separator makes both one `Character`.
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "%": text += "%25"
            case "&": text += "%26"
            case "=": text += "%3D"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    fileprivate var shortened: String { (count > 120 ? prefix(120) + "…" : self[...]).debugDescription }
}
