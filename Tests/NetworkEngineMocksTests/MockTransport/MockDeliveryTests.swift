import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5)))
struct MockDeliveryTests {

    @Test func `progress is reported for both directions`() async throws {
        let seen = Locked([TransferProgress]())
        let context = TransportContext(attempt: 2) { step in seen.withLock { $0.append(step) } }
        try await MockTransport(.status(200, body: "hello")).ask(.post, body: "abc", context: context)
        #expect(
            seen.withLock { $0 } == [
                TransferProgress(direction: .sending, completed: 3, total: 3, attempt: 2),
                TransferProgress(direction: .receiving, completed: 5, total: 5, attempt: 2),
            ]
        )
    }

    @Test func `the bytes of a file and of a stream are reported as sent`() async throws {
        let url = try #require(URL(string: "https://api.test"))
        try await withTemporaryFile { file in
            let bytes = Data("abc".utf8)
            try bytes.write(to: file)
            let stream = BodyStream(segments: [BodyStream.Segment(.data(bytes), length: nil)])
            for body in [RequestBody.file(file), .stream(stream)] {
                let sent = Locked<[Int64]>([])
                let context = TransportContext(attempt: 1) { step in
                    if step.direction == .sending { sent.withLock { $0.append(step.completed) } }
                }
                let request = HTTPRequest(method: .post, url: url, body: body)
                _ = try await MockTransport(.status(200)).send(request, context: context)
                #expect(sent.withLock { $0 } == [3])
            }
        }
    }

    @Test(arguments: [(HTTPMethod.head, 200), (.get, 204), (.get, 304)])
    func `a response that has no body by the rules of HTTP has none`(method: HTTPMethod, status: Int) async throws {
        let mock = MockTransport(.status(status, headers: ["ETag": "\"1\""], body: "hello"))
        let request = HTTPRequest(method: method, url: try #require(URL(string: "https://api.test")))
        let response = try await mock.send(request, context: TransportContext())
        #expect(response.body.data == Data() && response.headers["ETag"] == "\"1\"")
    }

    @Test func `a streamed body is recorded and matched as its bytes`() async throws {
        let stream = BodyStream {
            AsyncThrowingStream { source in
                for piece in [#"{"a""#, ": 1}"] { source.yield(Data(piece.utf8)) }
                source.finish()
            }
        }
        let mock = MockTransport()
        mock.on(.post, json: #"{"a": 1}"#).answers(.status(200))
        let url = try #require(URL(string: "https://api.test"))
        let request = HTTPRequest(method: .post, url: url, body: .stream(stream))
        _ = try await mock.send(request, context: TransportContext())
        #expect(mock.requests.first?.body.data == Data(#"{"a": 1}"#.utf8))
    }

    @Test func `a body that cannot be read fails as a request body`() async throws {
        let url = try #require(URL(string: "https://api.test"))
        let request = HTTPRequest(method: .post, url: url, body: .file(URL(fileURLWithPath: "/nowhere/at/all")))
        let error = await #expect(throws: NetworkError.self) {
            try await MockTransport(.status(200)).send(request, context: TransportContext())
        }
        #expect(error?.transportFailure == .requestBody)
    }
}
