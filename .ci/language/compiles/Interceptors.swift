import Foundation
import NetworkEngine

// Interceptors with one hook, in each supported form.

nonisolated struct Adapter: RequestInterceptor {
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { request }
}

nonisolated struct PlainAdapter: RequestInterceptor {
    func adapt(_ request: HTTPRequest, context: RequestContext) -> HTTPRequest { signed(request, by: "key") }

    private func signed(_ request: HTTPRequest, by key: String) -> HTTPRequest { request }
    private func adapt(_ request: HTTPRequest, by key: String) -> HTTPRequest { request }
}

nonisolated struct Retrier: RequestInterceptor {
    func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
}

nonisolated struct PlainRetrier: RequestInterceptor {
    func retry(after error: NetworkError, context: RequestContext) -> RetryDecision { .retry }
}

nonisolated struct Wrapper: ExchangeInterceptor {
    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: @escaping Next
    ) async throws -> HTTPResponse { try await next(request) }
}

actor Counter: RequestInterceptor {
    private var count = 0

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        count += 1
        return request
    }

    func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .doNotRetry }
}

nonisolated final class Stamps<Key: Sendable>: RequestInterceptor {
    let key: Key
    init(key: Key) { self.key = key }

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws(CancellationError) -> HTTPRequest {
        request
    }
}

nonisolated protocol Signing: RequestInterceptor {
    var key: String { get }
}

extension Signing {
    nonisolated func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { request }
}

nonisolated struct Signature: Signing {
    let key: String
}

nonisolated struct Group: RequestInterceptor {
    let part: any RequestInterceptor

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        try await part.adapt(request, context: context)
    }

    func intercept(
        _ request: HTTPRequest, context: RequestContext, next: @escaping Next
    ) async throws -> HTTPResponse { try await part.intercept(request, context: context, next: next) }

    func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        await part.retry(after: error, context: context)
    }
}

nonisolated func hooks(
    of retrier: Retrier, _ adapter: Adapter, _ request: HTTPRequest, _ next: @escaping RequestInterceptor.Next
) async throws {
    let context = RequestContext()
    let advice = await retrier.retry(after: NetworkError(kind: .offline), context: context)
    let adapted = try await adapter.adapt(request, context: context)
    let same = try await retrier.adapt(request, context: context)
    let response = try await retrier.intercept(request, context: context, next: next)
    print(advice, adapted.url, same.url, response.statusCode)
}
