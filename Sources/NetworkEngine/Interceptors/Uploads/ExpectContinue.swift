import Foundation

/// Asks the server whether it wants a large body before that is sent.
///
/// ```swift
/// let provider = NetworkProvider<API>(interceptor: ExpectContinue())
/// ```
/// The request's head goes ahead with `Expect: 100-continue`. A server that says no at once, with a 401 or a 413, gets no
/// byte of the body. One that does not know the question costs a second of waiting. One that refuses the question with a 417
/// gets the request once more without it, if the body can be sent twice. (Over URLSession on Linux the platform does that
/// itself.)
public struct ExpectContinue: RequestInterceptor {
    /// Shorter bodies are sent without asking; those of unknown length are asked for.
    public var minimumLength: Int64 = 1 << 20

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
        guard response.statusCode == 417, request.headers.contains("Expect"), request.body.isReplayable else {
            return response
        }
        var unasked = request
        unasked.headers["Expect"] = nil
        return try await next(unasked)
    }

    private func isLarge(_ body: RequestBody) -> Bool {
        let length: Int64? =
            switch body {
            case .none: 0
            case .data(let data): Int64(data.count)
            case .file(let url): (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize).map(Int64.init)
            case .stream(let stream): stream.length
            }
        return (length ?? .max) >= max(1, minimumLength)
    }
}
