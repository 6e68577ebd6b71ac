import CAllocationCounter
import Foundation
import NetworkEngine

/// Measures the memory of a call that waits for its response, without the transport's memory.
enum CallMemory {
    private static let calls = 2_000

    static func run() async throws {
        var table = Table(
            "Memory of a call in flight, over a transport that answers later",
            columns: ["call", "bytes of the heap"]
        )
        let lists: [(name: String, interceptors: [any RequestInterceptor])] = [
            ("plain", []), ("with retry", [RetryPolicy()]), ("with the recommended list", .recommended()),
        ]
        for list in lists {
            for deadline in [nil, Duration.seconds(300)] {
                // The first time fills caches.
                _ = try await measure(list.interceptors, deadline)
                let bytes = try await measure(list.interceptors, deadline)
                table.add(list.name + (deadline == nil ? "" : ", with a deadline"), "\(bytes)")
            }
        }
        table.print()
    }

    private static func measure(_ interceptors: [any RequestInterceptor], _ deadline: Duration?) async throws -> Int {
        let later = Later()
        var configuration = NetworkConfiguration()
        (configuration.transport, configuration.deadline) = (later, deadline)
        guard let base = URL(string: "http://localhost/") else { return 0 }
        let client = HTTPClient(baseURL: base, interceptors: interceptors, configuration: configuration)
        let before = heap_bytes()
        let tasks = (0..<calls).map { number in Task { try await client.request(.get("/users/\(number)")) as Int } }
        while later.count < calls { try await Task.sleep(for: .milliseconds(10)) }
        let bytes = heap_bytes() - before
        later.gate.settle(())
        for task in tasks { _ = try await task.value }
        return bytes / calls
    }
}

/// Holds all requests until a gate opens.
private struct Later: TransportDriver {
    let gate = OneShot<Void>()
    private let arrived = Locked(0)

    var identity: ObjectIdentifier? { nil }
    var count: Int { arrived.withLock { $0 } }

    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        arrived.withLock { $0 += 1 }
        context.admitted()
        try await gate.wait()
        return HTTPResponse(statusCode: 200, body: .data(Data("7".utf8)), request: request)
    }
}
