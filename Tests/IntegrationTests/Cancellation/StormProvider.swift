import Foundation

@testable import NetworkEngine

/// A target that identifies its call in the storm.
struct StormTarget: TargetType {
    let number: Int
    let baseURL: URL
    var path: String { "/users/\(number)" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
    var headers: HTTPHeaders { [StormTable.header: "\(number)"] }
}

/// Notifies a storm's calls that they have started, counts running work, and suggests a retry.
final class StormWatcher: RequestInterceptor {
    private let table: StormTable
    private let running: Tally
    private let alive: Tally

    init(_ table: StormTable, running: Tally, alive: Tally) {
        self.table = table
        self.running = running
        self.alive = alive
        alive.add()
    }

    deinit { alive.add(-1) }

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        table.call(of: request.headers)?.reached(.adapt)
        return request
    }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        running.add()
        defer { running.add(-1) }
        return try await next(request)
    }

    func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
}
