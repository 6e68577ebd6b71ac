public import Foundation
public import NetworkEngine

/// Why an operation brought no value.
///
/// ```swift
/// do {
///     let me: Me = try await client.execute(operation)
/// } catch where error.kind == .responseErrors {
///     show(error.messages, but: error.data(as: PartOfMe.self))
/// }
/// ```
public struct GraphQLError: Error, Sendable {
    /// What went wrong, to switch on.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The call failed before there was an answer of a GraphQL server; `networkError` says how.
        case network
        /// The server answered with errors.
        case responseErrors
        /// The answer has neither data nor errors.
        case invalidResponse
        /// The answer is no JSON, or its data is not what was expected; `networkError` names the place.
        case decodingFailed
        /// The variables could not be written as JSON.
        case encodingFailed
    }

    public let kind: Kind
    /// What the server says went wrong.
    public let errors: [GraphQLResponseError]
    public let networkError: NetworkError?
    /// The answer, with the data that came beside the errors.
    public let body: Data
    /// The values of variables, which servers repeat in messages.
    private var marks: RequestMarks?
    /// The client's decoder; `nil` for an error that no client has thrown.
    private var decoder: JSONDecoder?

    public init(
        kind: Kind,
        errors: [GraphQLResponseError] = [],
        networkError: NetworkError? = nil,
        body: Data = Data()
    ) {
        marks = nil
        self.kind = kind
        self.errors = errors
        self.networkError = networkError
        self.body = body
    }

    /// The same error, which shows no value of the operation's variables, and reads its data as the client does.
    func completed(by operation: GraphQLOperation, _ decoder: JSONDecoder) -> GraphQLError {
        var copy = self
        copy.decoder = decoder
        copy.marks = operation.variables.map { RequestMarks(values: $0.values.flatMap(\.texts)) }
        return copy
    }

    /// What the server says, for people.
    public var messages: [String] { errors.map(\.message) }

    /// The data that came in spite of the errors; `nil` where there is none of this type.
    ///
    /// - Parameter decoder: the client's decoder unless another one is given.
    public func data<Value: Decodable>(as type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> Value? {
        let decoder = decoder ?? self.decoder ?? JSONDecoder()
        return (try? ResponseOutline(of: body).data(type, in: body, by: decoder)) ?? nil
    }
}

extension GraphQLError: Equatable, LocalizedError, CustomStringConvertible, CustomReflectable {
    public static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.errors == right.errors && left.networkError == right.networkError
            && left.body == right.body
    }

    /// The failure, without the body. The values of variables are hidden in the server's messages.
    public var description: String {
        switch kind {
        case .network, .decodingFailed, .encodingFailed: networkError?.description ?? "The GraphQL call failed"
        case .responseErrors:
            "The GraphQL server reported: "
                + Redaction.describe(text: messages.joined(separator: "; "), hiding: marks)
        case .invalidResponse: "The GraphQL answer has neither data nor errors"
        }
    }

    public var errorDescription: String? { description }

    public var customMirror: Mirror { Mirror(self, children: ["error": description], displayStyle: .struct) }
}

extension GraphQLVariable {
    /// The texts in a value.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .list(let values): values.flatMap(\.texts)
        case .object(let members): members.values.flatMap(\.texts)
        case .int, .double, .bool, .null, .enum: []
        }
    }
}

extension APIError {
    /// What a failed operation means: 404 is `.notFound`, another status a `.serverError`, and what the server says stays.
    public init(_ error: GraphQLError) {
        switch error.kind {
        case .responseErrors: self = .rejected(messages: error.messages)
        case .invalidResponse: self = .invalidResponse
        case .network, .decodingFailed, .encodingFailed:
            self = error.networkError.map { APIError($0) } ?? .invalidResponse
        }
    }
}
