import Foundation
import NetworkEngine
import NetworkEngineTesting

// The protocols that users implement, with closure types spelled out and by name.

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
    func run<Value: Sendable>(
        _ endpoint: Endpoint, _ decoding: ResponseDecoding<Value>, settings: CallSettings
    ) async throws(NetworkError) -> Value {
        throw NetworkError(kind: .offline)
    }
}

nonisolated struct AppError: Error {}

nonisolated struct AppCalls: NetworkCalling {
    func run<Value: Sendable>(
        _ endpoint: Endpoint, _ decoding: ResponseDecoding<Value>, settings: CallSettings
    ) async throws(AppError) -> Value {
        let request = HTTPRequest(url: URL(fileURLWithPath: "/"))
        do {
            return try decoding.value(of: HTTPResponse(statusCode: 200, body: .data(Data("7".utf8)), request: request))
        } catch {
            throw AppError()
        }
    }

    func failure(for error: NetworkError) -> AppError { AppError() }
}
