import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct MockTrailerTests {
    private let answer = MockAnswer.text("hello").trailers(["X-Sum": "5", "x-sum": "6"])

    @Test func `a response has the fields after its body, which are no header fields`() async throws {
        let response = try await MockTransport(answer).ask()
        #expect(response.trailers?.values(for: "X-Sum") == ["5", "6"])
        #expect(!response.headers.contains("X-Sum") && response.data == Data("hello".utf8))
    }

    @Test func `an answer without them has none`() async throws {
        #expect(try await MockTransport(.text("hello")).ask().trailers == nil)
    }

    @Test func `the fields can be a dictionary, and are added to a computed answer`() async throws {
        let fields = ["X-Sum": "5"]
        let mock = MockTransport(
            .handler { _ in .text("a").trailers(fields) }, MockAnswer.handler { _ in .text("a") }.trailers(fields))
        for _ in 1...2 { #expect(try await mock.ask().trailers == ["X-Sum": "5"]) }
    }

    @Test func `a client gives them with a response in memory`() async throws {
        let response = try await HTTPClient(MockTransport(answer)).send(.get("/"))
        #expect(response.trailers == ["X-Sum": "5", "x-sum": "6"])
    }

    @Test(arguments: ["hello", ""]) func `a stream has them after its last byte`(text: String) async throws {
        let client = HTTPClient(MockTransport(.text(text).trailers(["X-Sum": "5"])))
        let stream = try await client.stream(.get("/"))
        #expect(stream.trailers == nil && stream.length == Int64(text.utf8.count))
        var bytes = Data()
        for try await piece in stream { bytes += piece }
        #expect(bytes == Data(text.utf8) && stream.trailers == ["X-Sum": "5"])
    }

    @Test func `the fields after a request body are made after its last byte, and are checked`() async throws {
        let mock = MockTransport(.text("").repeating())
        let client = HTTPClient(mock)
        let log = Locked<[String]>([])
        let pieces = AsyncStream<Data> {
            log.withLock { $0.append("body") }
            return nil
        }
        func send(_ name: String, _ fields: HTTPHeaders) async throws(NetworkError) {
            let body = BodyStream(pieces).withTrailers(name) {
                log.withLock { $0.append("fields") }
                return fields
            }
            try await client.send(.post("/").body(.stream(body)))
        }
        try await send("X-Sum", ["X-Sum": "1"])
        #expect(log.withLock { $0 } == ["body", "fields"])
        for (name, fields) in [("X-Sum", ["X-Other": "1"] as HTTPHeaders), ("Host", [:])] {
            await #expect(throws: NetworkError.self) { try await send(name, fields) }
        }
        #expect(mock.requests.count == 1)
    }

    @Test func `a mock client gives them, too`() async throws {
        let mock = HTTPClientMock(.response(answer), .response(answer))
        #expect(try await mock.send(.get("/")).trailers?["X-Sum"] == "5, 6")
        let stream = try await mock.stream(.get("/"))
        for try await _ in stream {}
        #expect(stream.trailers?["X-Sum"] == "5, 6")
    }
}
