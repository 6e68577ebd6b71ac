public import Foundation
public import NetworkEngine

/// The error of a failed GraphQL operation.
///
/// ```swift
/// do {
///     let me: Me = try await client.execute(operation)
/// } catch where error.kind == .responseErrors {
///     show(error.messages, but: error.data(as: PartOfMe.self))
/// }
/// ```
public struct GraphQLError: Error, Sendable {
    /// The kind of failure.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The call failed without a GraphQL response. `networkError` is the cause.
        case network
        /// The response contains errors.
        case responseErrors
        /// The response has neither data nor errors.
        case invalidResponse
        /// The response is not JSON, or its data does not match the expected type. `networkError` contains the key
        /// path.
        case decodingFailed
        /// The operation cannot be sent, for example because its variables are not JSON. `networkError` contains the
        /// reason.
        case encodingFailed
    }

    /// The kind of failure, to switch on.
    public let kind: Kind
    /// The errors that the server reported.
    public let errors: [GraphQLResponseError]
    /// The underlying error from the call, decoding or encoding, if any.
    public let networkError: NetworkError?
    /// The response body, including the partial data.
    public let body: Data
    /// The operation's variables, for hiding their values in the server's messages.
    private var variables: [String: GraphQLVariable]?
    /// The client's decoder; `nil` for an error that was not thrown by a client.
    private var decoder: JSONDecoder?

    /// Creates an error, for example for a mock.
    public init(
        kind: Kind,
        errors: [GraphQLResponseError] = [],
        networkError: NetworkError? = nil,
        body: Data = Data()
    ) {
        self.kind = kind
        self.errors = errors
        self.networkError = networkError
        self.body = body
    }

    /// Returns the error with the values to hide in its description and the client's decoder for its data.
    func completed(by operation: GraphQLOperation, _ decoder: JSONDecoder) -> GraphQLError {
        var copy = self
        copy.decoder = decoder
        copy.variables = operation.variables
        return copy
    }

    /// The messages of the errors.
    public var messages: [String] { errors.map(\.message) }

    /// Returns the partial data of a response with errors; `nil` if it cannot be decoded as this type.
    ///
    /// - Parameter decoder: decodes the data; the client's decoder by default.
    public func data<Value: Decodable>(as type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> Value? {
        let decoder = decoder ?? self.decoder ?? JSONDecoder()
        return (try? ResponseEnvelope(of: body).data(type, in: body, by: BodyDecoder(decoder))) ?? nil
    }
}

extension GraphQLError: Equatable, LocalizedError, CustomStringConvertible, CustomReflectable {
    public static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.errors == right.errors && left.networkError == right.networkError
            && left.body == right.body
    }

    /// A description of the failure without the body. It hides the values of variables in the server's messages.
    public var description: String {
        switch kind {
        case .network, .decodingFailed, .encodingFailed: networkError?.description ?? "The GraphQL call failed"
        case .responseErrors:
            "The GraphQL server reported: " + shownMessages(separator: "; ")
        case .invalidResponse: "The GraphQL response has neither data nor errors"
        }
    }

    /// A message for the app's users: the server's messages, or the failed call's message.
    ///
    /// It hides the values of variables in the server's messages.
    public var errorDescription: String? {
        switch kind {
        case .network, .decodingFailed, .encodingFailed: (networkError.map { ErrorSentence($0) } ?? .other).text()
        case .invalidResponse: ErrorSentence.response.text()
        case .responseErrors:
            messages.allSatisfy(\.isEmpty)
                ? ErrorSentence.status4xx.text()
                : shownMessages(separator: " ")
        }
    }

    private func shownMessages(separator: String) -> String {
        let text = messages.joined(separator: separator)
        return Redaction.shortened(Redaction.describe(text: text, hiding: secrets(in: text)))
    }

    /// The values of variables to hide in a text. If there are many numbers and enum cases, only those that occur
    /// literally are hidden, because checking their other spellings, such as Base64, would take too long.
    private func secrets(in text: String) -> RequestSecrets? {
        guard let values = variables?.values else { return nil }
        var words = Set(values.flatMap(\.words).filter { $0.utf8.count >= ValueScrubber.minimumLength })
        if words.count > 100 {
            let bytes = Data(text.utf8)
            words = Set(TextFinder(words).ranges(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) })
        }
        return RequestSecrets(values: values.flatMap(\.strings) + words)
    }

    public var customMirror: Mirror { Mirror(self, children: ["error": description], displayStyle: .struct) }
}

extension GraphQLVariable {
    /// The strings in a value.
    fileprivate var strings: [String] {
        switch self {
        case .string(let text): [text]
        case .list(let values): values.flatMap(\.strings)
        case .object(let members): members.values.flatMap(\.strings)
        case .int, .double, .decimal, .bool, .null, .enum: []
        }
    }

    /// The numbers and enum cases in a value, as a server can write them.
    fileprivate var words: [String] {
        switch self {
        case .enum(let name): [name]
        case .list(let values): values.flatMap(\.words)
        case .object(let members): members.values.flatMap(\.words)
        case .int(let value): ["\(value)"]
        // A whole number can have a fraction in the message, or none.
        case .double(let value): ["\(value)"] + (Int(exactly: value).map { ["\($0)"] } ?? [])
        case .decimal(let value): ["\(value)"]
        case .string, .bool, .null: []
        }
    }
}

extension APIError {
    /// Creates the error for a failed operation. Errors in the response become `.rejected`; otherwise the network error
    /// is used.
    public init(_ error: GraphQLError) {
        switch error.kind {
        case .responseErrors: self = .rejected(messages: error.messages)
        case .invalidResponse: self = .invalidResponse
        case .network, .decodingFailed, .encodingFailed:
            self = error.networkError.map { APIError($0) } ?? .invalidResponse
        }
    }
}
