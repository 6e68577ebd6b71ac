import Foundation
import NetworkEngine
import NetworkEngineJSON

/// The response members that do not depend on the type of its data.
struct ResponseEnvelope: Decodable, Sendable {
    /// The errors; `nil` if the response has no list of errors.
    let errors: [GraphQLResponseError]?
    let extensions: GraphQLExtensions
    let hasData: Bool
    /// Whether the response has a `data` member, including null.
    let containsData: Bool
    /// Whether the data is an empty array. PHP servers also write an empty object this way.
    private let dataIsEmptyArray: Bool
    /// Whether the response is from a GraphQL server.
    let isGraphQL: Bool

    private enum Key: String, CodingKey { case data, errors, extensions }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        errors = try? container.decodeIfPresent(ReportedErrors.self, forKey: .errors)?.list
        extensions = try container.decodeIfPresent(forKey: .extensions)
        containsData = container.contains(.data)
        hasData = try containsData && !container.decodeNil(forKey: .data)
        let list = hasData ? try? container.nestedUnkeyedContainer(forKey: .data) : nil
        dataIsEmptyArray = list?.isAtEnd == true
        isGraphQL = containsData || errors != nil
    }

    /// Decodes the envelope of a response body.
    init(of body: Data) throws {
        self = try JSONDecoder().decodeInternal(Self.self, from: body)
    }

    /// Decodes the data in the body; `nil` if the response has no data.
    func data<Value: Decodable>(_ type: Value.Type, in body: Data, by decoder: BodyDecoder) throws -> Value? {
        guard hasData else { return nil }
        func data(in body: Data) throws -> Value {
            try decoder.decode(Member<Value>.self, from: body, at: "data").value
        }
        do {
            return try data(in: body)
        } catch  where dataIsEmptyArray {
            guard let value = try? data(in: Data(#"{"data":{}}"#.utf8)) else { throw error }
            return value
        }
    }
}

/// The errors in a response: a list, or the single error or text that some servers write instead.
private struct ReportedErrors: Decodable {
    let list: [GraphQLResponseError]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch JSONPeek(decoder)?.kind {
        case .object:
            let error = try container.decode(GraphQLResponseError.self)
            guard !error.message.isEmpty else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an error of GraphQL")
            }
            list = [error]
        case .string: list = [GraphQLResponseError(message: try container.decode(String.self))]
        default: list = try container.decode([GraphQLResponseError].self)
        }
    }
}

/// A value that is decoded like a member with its type, using all of the decoder's strategies.
private struct Member<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}
