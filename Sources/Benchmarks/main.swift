import CAllocationCounter
import Foundation
import NetworkEngine

struct Instant: Transport {
    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        HTTPResponse(statusCode: 200, request: request)
    }
}
struct Ours: Transport {
    var capabilities: TransportCapabilities { .stopsWhenInterrupted }
    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        HTTPResponse(statusCode: 200, request: request)
    }
}
struct Pass: RequestInterceptor {
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { request }
}
enum API: TargetType {
    case user(Int)
    static let base = URL(string: "https://api.example.com/v1")!
    var baseURL: URL { Self.base }
    var path: String { "/users/7" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}
func measure(_ name: String, _ t: any Transport, deadline: Duration?, interceptors: Int = 3) async throws {
    var c = NetworkConfiguration()
    c.transport = t
    c.timeout = .seconds(30)
    c.deadline = deadline
    let p = NetworkProvider<API>(interceptors: Array(repeating: Pass(), count: interceptors), configuration: c)
    for _ in 0..<3 {
        let n = CommandLine.arguments.count > 1 ? 3 : 50_000
        let a = allocation_count()
        let d = try await ContinuousClock().measure { for _ in 0..<n { _ = try await p.send(.user(7)) } }
        print(name, d / n, Double(allocation_count() - a) / Double(n))
    }
}
try await Task.detached {
    if CommandLine.arguments.count > 1 { try await measure("ours deadline", Ours(), deadline: .seconds(60)); return }
    try await measure("foreign deadline", Instant(), deadline: .seconds(60))
    try await measure("foreign", Instant(), deadline: nil)
    try await measure("ours deadline", Ours(), deadline: .seconds(60))
    try await measure("ours", Ours(), deadline: nil)
    try await measure("ours 0", Ours(), deadline: nil, interceptors: 0)
}.value
