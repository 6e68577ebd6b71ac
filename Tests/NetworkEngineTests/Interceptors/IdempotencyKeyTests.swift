import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct IdempotencyKeyTests {
    private let keys = IdempotencyKey(namespace: "app")

    private func adapted(
        _ method: HTTPMethod,
        headers: HTTPHeaders = [:],
        call: UInt64 = 7,
        attempt: Int = 1
    ) async throws -> String? {
        let request = HTTPRequest(method: method, url: URL(filePath: "/"), headers: headers)
        let context = RequestContext(requestID: RequestID(rawValue: call), attempt: attempt)
        return try await keys.adapt(request, context: context).headers["Idempotency-Key"]
    }

    @Test(arguments: [HTTPMethod.post, .patch, "CHARGE"])
    func `a method that is not idempotent gets a key, a quoted string`(method: HTTPMethod) async throws {
        let key = try #require(try await adapted(method))
        #expect(key.hasPrefix("\"app-") && key.hasSuffix("\"") && key.utf8.count >= 28)
    }

    @Test(arguments: [HTTPMethod.get, .head, .put, .delete, .options, .query])
    func `an idempotent method needs none`(method: HTTPMethod) async throws {
        #expect(try await adapted(method) == nil)
    }

    @Test func `all attempts of a call have the same key, and another call has another`() async throws {
        let first = try await adapted(.post)
        #expect(try await adapted(.post, attempt: 2) == first)
        #expect(try await adapted(.post, call: 8) != first)
    }

    @Test func `a key does not reveal the next one`() async throws {
        var seen: Set<String> = []
        for call in 1...1_000 as ClosedRange<UInt64> {
            let key = try #require(try await adapted(.post, call: call))
            // After the namespace, no ten digits repeat.
            let (isNew, _) = seen.insert(String(key.dropFirst(5).prefix(10)))
            #expect(isNew && !key.contains("-\(call)\""))
        }
    }

    @Test func `an existing key stays`() async throws {
        #expect(try await adapted(.post, headers: ["idempotency-key": "\"mine\""]) == "\"mine\"")
    }

    @Test func `two processes never make the same key`() async throws {
        let context = RequestContext(requestID: RequestID(rawValue: 1))
        let request = HTTPRequest(method: .post, url: URL(filePath: "/"))
        let one = try await IdempotencyKey().adapt(request, context: context)
        let other = try await IdempotencyKey().adapt(request, context: context)
        #expect(one.headers["Idempotency-Key"] != other.headers["Idempotency-Key"])
    }
}
