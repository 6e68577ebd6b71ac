import Foundation
import NetworkEngine
import NetworkEngineTesting

// What users implement, with the types of closures written out and by their names.

nonisolated struct Stopwatch: RequestInterceptor {
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try await next(request)
    }
}

nonisolated struct Stamp: RequestInterceptor {
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { request }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        try await next(request)
    }

    func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
}

actor Keychain: CredentialStore {
    private var stored: BearerToken?

    func load() -> BearerToken? { stored }

    func save(_ new: BearerToken?, replacing old: BearerToken?) -> Bool {
        guard stored == old else { return false }
        stored = new
        return true
    }

    func exclusively<Result: Sendable>(_ work: @Sendable () async -> Result) async throws -> Result {
        await work()
    }
}

nonisolated struct AppClient: HTTPClientContract {
    func request<T: Decodable & Sendable>(_ endpoint: Endpoint) async throws(NetworkError) -> T {
        throw NetworkError(kind: .offline)
    }

    func request(_ endpoint: Endpoint) async throws(NetworkError) -> Data { throw NetworkError(kind: .offline) }
}
