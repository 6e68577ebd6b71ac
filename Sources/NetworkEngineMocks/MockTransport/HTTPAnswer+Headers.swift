public import Foundation
public import NetworkEngine

// Answers with headers in a dictionary, in addition to the members of every `HTTPAnswer`.

extension MockAnswer {
    /// Answers with bytes.
    ///
    /// - Parameter type: The `Content-Type`, unless the headers contain one; `nil` for none.
    @_disfavoredOverload
    public static func data(
        _ data: Data,
        type: String? = nil,
        status: Int = 200,
        headers: some TargetHeaders
    ) -> MockAnswer {
        self.data(data, type: type, status: status, headers: HTTPHeaders(declared: headers))
    }

    /// Answers with a redirect.
    @_disfavoredOverload
    public static func redirect(
        to location: String,
        status: Int = 302,
        headers: some TargetHeaders
    ) -> MockAnswer {
        redirect(to: location, status: status, headers: HTTPHeaders(declared: headers))
    }

    /// Returns the answer with trailer fields. Failures have none.
    @_disfavoredOverload
    public func trailers(_ trailers: some TargetHeaders) -> MockAnswer {
        self.trailers(HTTPHeaders(declared: trailers))
    }

    /// Answers with a fixture file, which is the body or describes the whole response.
    ///
    /// - Parameters:
    ///   - values: The values of placeholders. They take precedence over the request's values.
    ///   - status: Replaces the file's status.
    ///   - headers: Replace the file's headers with the same names.
    @_disfavoredOverload
    public static func fixture(
        _ name: String,
        in loader: FixtureLoader,
        values: [String: String] = [:],
        status: Int? = nil,
        headers: some TargetHeaders
    ) -> MockAnswer {
        fixture(name, in: loader, values: values, status: status, headers: HTTPHeaders(declared: headers))
    }
}

extension ClientAnswer {
    /// Answers with bytes.
    @_disfavoredOverload
    public static func data(
        _ data: Data,
        type: String? = nil,
        status: Int = 200,
        headers: some TargetHeaders
    ) -> ClientAnswer {
        response(.data(data, type: type, status: status, headers: headers))
    }

    /// Answers with a fixture file, which is the body or describes the whole response.
    ///
    /// The loader's decoder decodes it, unless the mock client has a decoder.
    ///
    /// - Parameters:
    ///   - values: The values of placeholders such as `{{id}}`.
    ///   - status: Replaces the file's status.
    ///   - headers: Replace the file's headers with the same names.
    @_disfavoredOverload
    public static func fixture(
        _ name: String,
        in loader: FixtureLoader,
        values: [String: String] = [:],
        status: Int? = nil,
        headers: some TargetHeaders
    ) -> ClientAnswer {
        fixture(name, in: loader, values: values, status: status, headers: HTTPHeaders(declared: headers))
    }
}
