public import Foundation
public import NetworkEngine

// Responses with headers in a dictionary, in addition to the members of every `HTTPAnswer`.

extension LoopbackResponse {
    /// Creates a response with headers in a dictionary.
    @_disfavoredOverload
    public init(status: Int = 200, headers: some TargetHeaders, body: LoopbackBody = .empty) {
        self.init(status: status, headers: HTTPHeaders(declared: headers), body: body)
    }

    /// Responds with bytes.
    ///
    /// - Parameter type: The `Content-Type`, unless the headers contain one; `nil` for none.
    @_disfavoredOverload
    public static func data(
        _ data: Data,
        type: String? = "application/octet-stream",
        status: Int = 200,
        headers: some TargetHeaders
    ) -> Self {
        self.data(data, type: type, status: status, headers: HTTPHeaders(declared: headers))
    }

    /// Responds with a redirect.
    @_disfavoredOverload
    public static func redirect(to location: String, status: Int = 302, headers: some TargetHeaders) -> Self {
        redirect(to: location, status: status, headers: HTTPHeaders(declared: headers))
    }

    /// Sends trailer fields after the last chunk.
    @_disfavoredOverload
    public func trailers(_ trailers: some TargetHeaders) -> Self { self.trailers(HTTPHeaders(declared: trailers)) }

    /// Sends informational responses before the response.
    @_disfavoredOverload
    public func interim(_ status: Int, headers: some TargetHeaders, times: Int = 1) -> Self {
        interim(status, headers: HTTPHeaders(declared: headers), times: times)
    }
}

extension LoopbackResponse.Interim {
    /// Creates an informational response with headers in a dictionary.
    @_disfavoredOverload
    public init(_ status: Int, headers: some TargetHeaders) {
        self.init(status, headers: HTTPHeaders(declared: headers))
    }
}
