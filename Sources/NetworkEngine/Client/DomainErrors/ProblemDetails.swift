public import Foundation
import NetworkEngineJSON

/// The problem details of a failed response, as defined by RFC 9457 (`application/problem+json`).
///
/// ```swift
/// if let problem = error.problem, problem.type == "https://example.com/probs/out-of-credit" {
///     show(problem.title, problem.member("balance", as: Int.self))
/// }
/// ```
/// As required by the RFC, a member with an unexpected type is ignored.
public struct ProblemDetails: Hashable, Sendable {
    /// Identifies the kind of problem; `about:blank` if the status is sufficient.
    public var type = "about:blank"
    /// A short summary of the kind of problem; `nil` if the document doesn't contain one.
    public var title: String?
    /// The status in the document; `nil` if it doesn't contain one. A proxy may have changed the response's own status.
    public var status: Int?
    /// An explanation of this occurrence for users.
    public var detail: String?
    /// Identifies this occurrence.
    public var instance: String?
    /// The document, which contains the extension members.
    private let document: Data

    /// Decodes a document. Throws a `DecodingError` if it is not a JSON object.
    public init(_ document: Data) throws {
        self = try JSONDecoder().decodeSafely(Standard.self, from: document).problem(in: document)
    }

    /// Returns an extension member; `nil` if the document has no such member of this type.
    public func member<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        let decoder = JSONDecoder()
        if let key = CodingUserInfoKey.member { decoder.userInfo[key] = name }
        return try? decoder.decodeSafely(Member<Value>.self, from: document).value
    }

    private init(in document: Data) { self.document = document }

    /// The members that the RFC defines.
    private struct Standard: Decodable {
        let container: KeyedDecodingContainer<AnyCodingKey>

        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: AnyCodingKey.self) }

        func problem(in document: Data) -> ProblemDetails {
            var problem = ProblemDetails(in: document)
            problem.type = value("type") ?? problem.type
            problem.title = value("title")
            problem.status = value("status")
            problem.detail = value("detail")
            problem.instance = value("instance")
            return problem
        }

        private func value<Value: Decodable>(_ name: String) -> Value? {
            try? container.decode(Value.self, forKey: AnyCodingKey(name))
        }
    }

    private struct Member<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            let name = CodingUserInfoKey.member.flatMap { decoder.userInfo[$0] as? String } ?? ""
            value = try decoder.container(keyedBy: AnyCodingKey.self).decode(Value.self, forKey: AnyCodingKey(name))
        }
    }
}

extension CodingUserInfoKey {
    fileprivate static let member = CodingUserInfoKey(rawValue: "NetworkEngine.problemMember")
}
