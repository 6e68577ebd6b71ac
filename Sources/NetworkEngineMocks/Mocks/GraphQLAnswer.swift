public import Foundation
public import NetworkEngine
public import NetworkEngineGraphQL

/// A mock GraphQL client's answer: data, errors, or the result of a response.
///
/// ```swift
/// .value(UserData(name: "Ada"))
/// .data(#"{"name": "Ada"}"#).delayed(by: .seconds(1))
/// .errors(GraphQLResponseError(message: "no such user"))
/// .failure(NetworkError(kind: .offline))
/// ```
public struct GraphQLAnswer: ScriptedAnswer {
    enum Content: Sendable {
        case value(any Sendable)
        case failure(GraphQLError)
        /// A response body, and its fixture's decoder.
        case body(Data, JSONDecoder?)
        case response(MockAnswer)
        case empty
    }

    let content: Content
    private(set) var delay: Duration? = .zero

    private init(_ content: Content, delay: Duration? = .zero) { (self.content, self.delay) = (content, delay) }

    /// Returns a value of the requested type. `Data` is decoded as the operation's JSON data if another type is
    /// requested.
    public static func value(_ value: some Sendable) -> GraphQLAnswer { GraphQLAnswer(.value(value)) }

    /// Answers with the JSON of `data` alone, which is not validated.
    public static func data(_ json: String) -> GraphQLAnswer { data(Data(json.utf8)) }

    /// Answers with the JSON of `data` alone, which is not validated.
    public static func data(_ json: Data) -> GraphQLAnswer { GraphQLAnswer(.body(body([("data", json)]), nil)) }

    /// Answers with a fixture file that contains the JSON of `data` alone.
    ///
    /// The loader's decoder decodes it, unless the mock client has a decoder.
    ///
    /// - Parameter values: The values of placeholders such as `{{id}}`. Without values the file is used unchanged.
    public static func data(
        fixture name: String,
        in loader: FixtureLoader,
        values: [String: String] = [:]
    ) -> GraphQLAnswer {
        do throws(FixtureError) {
            let json = try loader.data(name, values: values)
            return GraphQLAnswer(.body(body([("data", json)]), loader.decoder))
        } catch {
            return failure(NetworkError(kind: .transport, reason: error.description, underlying: error))
        }
    }

    /// Answers with server errors, and optionally with the JSON of partial data.
    public static func errors(_ errors: GraphQLResponseError..., data: String? = nil) -> GraphQLAnswer {
        do {
            let errors = ("errors", try JSONEncoder().encode(errors))
            let members = data.map { [errors, ("data", Data($0.utf8))] } ?? [errors]
            return GraphQLAnswer(.body(body(members), nil))
        } catch {
            return failure(NetworkError(kind: .encoding, reason: "the errors cannot be encoded", underlying: error))
        }
    }

    /// Throws an error.
    public static func failure(_ error: GraphQLError) -> GraphQLAnswer { GraphQLAnswer(.failure(error)) }

    /// Throws an error of the underlying client as the cause of a `GraphQLError`.
    public static func failure(_ error: NetworkError) -> GraphQLAnswer {
        failure(GraphQLError(kind: .network, networkError: error))
    }

    /// Fails like a real client when its transport fails.
    public static func failure(
        _ failure: TransportFailure,
        reason: String = "the mock was told to fail"
    ) -> GraphQLAnswer {
        response(.failure(failure, reason: reason))
    }

    /// Returns what a real client returns for a response.
    public static func response(_ answer: MockAnswer) -> GraphQLAnswer { GraphQLAnswer(.response(answer)) }

    /// Succeeds without content: data that is an empty object, a response without data, or a subscription that ends.
    ///
    /// The operation fails with `.decodingFailed` if its type requires a member.
    public static var empty: GraphQLAnswer { GraphQLAnswer(.empty) }

    /// Waits until the operation is canceled, without a timeout.
    public static var hang: GraphQLAnswer { GraphQLAnswer(.empty, delay: nil) }

    /// Returns the answer with a delay on the mock's clock.
    public func delayed(by delay: Duration) -> GraphQLAnswer {
        GraphQLAnswer(content, delay: self.delay == nil ? nil : delay)
    }

    /// Returns a response body with these members.
    static func body(_ members: [(name: String, json: Data)]) -> Data {
        let members = members.map { Data("\"\($0.name)\": ".utf8) + $0.json }
        return Data("{".utf8) + members.joined(separator: Data(", ".utf8)) + Data("}".utf8)
    }
}
