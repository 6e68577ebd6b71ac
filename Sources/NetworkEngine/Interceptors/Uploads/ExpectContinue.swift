import Foundation

/// Waits for the server to accept a request before sending its large body.
///
/// ```swift
/// let provider = NetworkProvider<API>(interceptor: ExpectContinue())
/// ```
/// The request's head is sent first, with `Expect: 100-continue`. If the server rejects the request, for example with a
/// 401 or a 413, the body is not sent. If the server does not support the header, the request is delayed by one second.
///
/// If the server returns a 417, the request is retried once without the header, provided that the body can be sent
/// twice. Otherwise the 417 is the response. On Linux its body can be missing, because libcurl drops it. Over
/// URLSession on Linux, the request tells the server to close the connection: on a kept-alive connection, the platform
/// would resend a request after a 417.
public struct ExpectContinue: RequestInterceptor {
    /// The minimum body length for the header. A body of unknown length also gets it.
    public var minimumLength: Int64 = 1 << 20

    /// Creates an interceptor for bodies of at least 1 MiB or of unknown length.
    public init() {}

    public var mayWait: Bool { false }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        guard isLarge(request.body), !request.headers.contains("Expect") else { return request }
        var request = request
        request.headers["Expect"] = "100-continue"
        return request
    }

    public func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let response = try await next(request)
        guard response.statusCode == 417, request.headers.contains("Expect"), request.body.isReplayable,
            context.call.options.storage?.wasApplied != true
        else { return response }
        var unasked = request
        unasked.headers["Expect"] = nil
        return try await next(unasked)
    }

    private func isLarge(_ body: RequestBody) -> Bool {
        let length: Int64? =
            switch body {
            case .absent: 0
            case .data(let data): Int64(data.count)
            case .file(let url): BodyFile.length(of: url)
            case .stream(let stream): stream.length
            }
        return (length ?? .max) >= max(1, minimumLength)
    }
}
