public import Foundation

extension NetworkError {
    /// The response's problem details, if its content type is `application/problem+json`.
    public var problem: ProblemDetails? {
        let type = response?.headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        guard let response, type?.lowercased() == "application/problem+json" else { return nil }
        return try? ProblemDetails(response.data)
    }

    /// Returns the decoded body of the error's response; `nil` if it cannot be decoded as this type.
    ///
    /// - Parameter decoder: decodes the body; by default the configured decoder with the target's
    ///   `keyDecodingStrategy`.
    public func body<Value: Decodable>(as type: Value.Type = Value.self, decoder: JSONDecoder? = nil) -> Value? {
        body(as: type, by: decoder.map { BodyDecoder($0) } ?? BodyDecoder(decoding))
    }

    /// Returns the response body as the target's `ErrorBody`; `nil` if it cannot be decoded as this type.
    public func body<Target: TypedErrorTarget>(for target: Target) -> Target.ErrorBody? {
        let decoder = decoding?.decoder ?? JSONDecoder()
        return body(as: Target.ErrorBody.self, by: BodyDecoder(decoder, keys: target.keyDecodingStrategy))
    }

    private func body<Value: Decodable>(as type: Value.Type, by decoder: BodyDecoder) -> Value? {
        response.flatMap { try? decoder.decode(type, from: $0.data) }
    }
}

/// A target that declares the type of its error bodies.
///
/// ```swift
/// enum SignUp: TypedErrorTarget {
///     struct ErrorBody: Decodable, Sendable { var fields: [String: String] }
///     // … and the members of every target
/// }
/// do { try await provider.request(target) } catch { show(error.body(for: target)?.fields ?? [:]) }
/// ```
public protocol TypedErrorTarget: TargetType {
    /// The type of a failed response's body, which `NetworkError.body(for:)` decodes.
    associatedtype ErrorBody: Decodable & Sendable
}
