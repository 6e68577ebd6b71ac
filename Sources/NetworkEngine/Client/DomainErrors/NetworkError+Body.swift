public import Foundation

extension NetworkError {
    /// What the server says went wrong, when its answer is `application/problem+json`.
    public var problem: ProblemDetails? {
        let type = response?.headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard let response, type?.lowercased() == "application/problem+json" else { return nil }
        return try? ProblemDetails(response.data)
    }

    /// The body of the response that this error is about; `nil` where it is not of this type.
    ///
    /// - Parameter decoder: the configured decoder with the target's `keyDecodingStrategy`, unless another one is given.
    public func body<Value: Decodable>(as type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> Value? {
        body(as: type, by: decoder.map { BodyDecoder($0) } ?? BodyDecoder(decoding))
    }

    /// The body of the response, as the target says that its failures look; `nil` where it does not look so.
    public func body<Target: TypedErrorTarget>(for target: Target) -> Target.ErrorBody? {
        let decoder = decoding?.decoder ?? JSONDecoder()
        return body(as: Target.ErrorBody.self, by: BodyDecoder(decoder, keys: target.keyDecodingStrategy))
    }

    private func body<Value: Decodable>(as type: Value.Type, by decoder: BodyDecoder) -> Value? {
        response.flatMap { try? decoder.decode(type, from: $0.data) }
    }
}

/// A target that says what the bodies of its failures are.
///
/// ```swift
/// enum SignUp: TypedErrorTarget {
///     struct ErrorBody: Decodable, Sendable { var fields: [String: String] }
///     // … and what every target has
/// }
/// do { try await provider.request(target) } catch { show(error.body(for: target)?.fields ?? [:]) }
/// ```
public protocol TypedErrorTarget: TargetType {
    associatedtype ErrorBody: Decodable & Sendable
}
