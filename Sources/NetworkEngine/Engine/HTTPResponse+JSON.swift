import Foundation
import NetworkEngineJSON

extension HTTPResponse {
    /// Decodes the body's JSON, or returns the value for an absent body.
    package func json<Value: Decodable>(
        _ type: Value.Type,
        by decoder: BodyDecoder,
        at keyPath: String? = nil
    ) throws(NetworkError) -> Value {
        try value(type, isJSON: true, isWhole: keyPath?.isEmpty ?? true) {
            try decoder.decode(type, from: $0, at: keyPath)
        }
    }

    /// Decodes the body's property list, or returns the value for an absent body.
    func propertyList<Value: Decodable>(_ type: Value.Type) throws(NetworkError) -> Value {
        try value(type, isJSON: false) { data in
            guard PropertyListCheck.isSafe(data) else { throw DecodingError.notPropertyList }
            return try PropertyListDecoder().decode(type, from: data)
        }
    }

    /// - Parameter isWhole: whether the value is the whole body. A part of it is always decoded, whatever its type.
    private func value<Value: Decodable>(
        _ type: Value.Type,
        isJSON: Bool,
        isWhole: Bool = true,
        _ decode: (Data) throws -> Value
    ) throws(NetworkError) -> Value {
        if isWhole, type == Data.self, let bytes = data as? Value { return bytes }
        if isWhole, type == EmptyBody.self, let nothing = EmptyBody() as? Value { return nothing }
        guard statusCode != 204, !data.isEmpty else { return try absent(type) }
        if isWhole, type == Data?.self, let bytes = data as? Value { return bytes }
        do {
            return try decode(data)
        } catch {
            throw unknownCoding ?? .decoding(error, of: self, isJSON: isJSON, hint: hint(type))
        }
    }

    /// A hint for a body that is not JSON: its media type, and the call that returns a text.
    private func hint(_ type: Any.Type) -> String {
        let media = (headers["Content-Type"] ?? "").lowercased().utf8.prefix { $0 > 0x20 && $0 < 0x7F && $0 != 0x3B }
        let text = String(decoding: media.prefix(60), as: UTF8.self)
        // An event has its stream's type.
        let isUnknown = text.isEmpty || text.contains("json") || text == "text/event-stream"
        let name = isUnknown ? "" : ": its type is \(text.debugDescription)"
        return name + (type == String.self ? "; string(_:) returns a text as it is" : "")
    }

    /// The reason why a body does not match its media type: a transport passes on codings that it cannot decode.
    private var unknownCoding: NetworkError? {
        let coding = headers["Content-Encoding"]?.lowercased() ?? "identity"
        if coding == "identity" || coding == "none" { return nil }
        let reason = "the body has the content coding \(coding.prefix(40).debugDescription), which was not undone"
        return NetworkError(.contentCoding, reason: reason, response: self)
    }

    private func absent<Value>(_ type: Value.Type) throws(NetworkError) -> Value {
        if let absent = (type as? any AbsentBody.Type)?.absent as? Value { return absent }
        let reason = "\(type) was expected and status \(statusCode) came without a body"
        throw NetworkError(kind: .emptyBody, reason: reason, response: self)
    }
}

/// A type that has a value for a response without a body.
package protocol AbsentBody {
    static var absent: Self { get }
}

extension Optional: AbsentBody {
    package static var absent: Wrapped? { nil }
}

/// A value that accepts any response body and ignores it.
public struct EmptyBody: Hashable, Sendable, Codable, AbsentBody {
    /// Creates the value.
    public init() {}

    /// Accepts any document.
    public init(from decoder: any Decoder) throws {}

    package static var absent: EmptyBody { EmptyBody() }
}
