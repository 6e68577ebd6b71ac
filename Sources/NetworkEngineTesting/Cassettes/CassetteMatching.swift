import Foundation
public import NetworkEngine
import NetworkEngineMocks
import NetworkEngineObservation

/// The parts of a request that must equal those of a recorded exchange.
///
/// ```swift
/// var matching = CassetteMatching([.method, .url, .body])
/// matching.ignoredParameters = ["timestamp", "nonce"]
/// ```
/// Secrets are not compared: both requests are redacted first.
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

    /// Compares these parts: method and URL by default.
    public init(_ parts: Parts = [.method, .url]) { self.parts = parts }
}

extension CassetteMatching {
    /// Returns what differs and the weight of each difference; empty when the recorded exchange matches.
    func differences(of request: HTTPRequest, from recorded: HTTPRequest) -> [(words: String, weight: Int)] {
        var found: [(words: String, weight: Int)] = []
        func compare(_ part: Parts, _ name: String, _ is: String, _ was: String, weight: Int) {
            guard parts.contains(part), `is` != was else { return }
            found.append(("the \(name) is \(`is`.shortened), not \(was.shortened)", weight))
        }
        let (new, old) = (MockAddress(request.url), MockAddress(recorded.url))
        compare(.method, "method", request.method.rawValue, recorded.method.rawValue, weight: 50)
        compare(.origin, "origin", new.origin, old.origin, weight: 200)
        compare(.path, "path", new.path, old.path, weight: 100)
        compare(.query, "query", query(new.items), query(old.items), weight: 10)
        compare(.body, "body", body(of: request), body(of: recorded), weight: 10)
        for name in headers.sorted() where request.headers[name] != recorded.headers[name] {
            let texts = [request.headers[name], recorded.headers[name]].map { $0.map(\.debugDescription) ?? "missing" }
            found.append(("header \(name) is \(texts[0]), not \(texts[1])", 10))
        }
        if let condition, !condition(request, recorded) { found.append(("its condition is not met", 10)) }
        return found
    }

    private func query(_ items: [(name: String, value: String)]) -> String {
        let kept = items.filter { !ignoredParameters.contains($0.name) }
        // Sorted by name and stable, so that only the order within one name counts.
        let sorted = kept.enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
        return sorted.map { "\($0.element.name.inItem)=\($0.element.value.inItem)" }.joined(separator: "&")
    }

    /// The body in a normalized form to compare and to show.
    private func body(of request: HTTPRequest) -> String {
        guard let body = request.body.data, !body.isEmpty else { return "" }
        // Compressors produce different output for the same bytes.
        let data = BodyCoding.plain(body, coding: request.headers["Content-Encoding"]) ?? body
        if request.headers["Content-Type"]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            return query(MockAddress.items(String(decoding: data, as: UTF8.self)[...]))
        }
        if let value = try? JSONValue(parsing: data) { return value.text(leavingOut: ignoredParameters) }
        return String(data: data, encoding: .utf8) ?? data.base64EncodedString()
    }
}

extension JSONValue {
    /// One normalized spelling for all equivalent JSON.
    fileprivate func text(leavingOut ignored: Set<String>) -> String {
        switch self {
        case .null, .bool, .number: return summary
        case .string(let text): return text.debugDescription
        case .array(let values): return "[" + values.map { $0.text(leavingOut: ignored) }.joined(separator: ",") + "]"
        case .object(let members):
            let kept = members.filter { !ignored.contains($0.key) }.sorted { $0.key < $1.key }
            return "{"
                + kept.map { "\($0.key.debugDescription):\($0.value.text(leavingOut: ignored))" }.joined(separator: ",")
                + "}"
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
