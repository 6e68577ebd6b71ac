import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation

@Suite(.timeLimit(.minutes(5))) struct RequestLoggerTests {
    private func log(
        _ call: PlayedCall, level: RequestLogger.Level = .headers, bodyLimit: Int = 4_096
    ) -> [String] {
        let messages = Locked<[String]>([])
        var logger = RequestLogger(level: level) { message in messages.withLock { $0.append(message) } }
        logger.bodyLimit = bodyLimit
        call.play(to: logger)
        return messages.withLock { $0 }.map { $0.replacing("\(call.id)", with: "#1") }
    }

    @Test func `an entry has the call and its outcome`() {
        for (kind, outcome) in [
            (nil, .succeeded), (.timeout, .failed), (.cancelled, .cancelled),
        ] as [(NetworkErrorKind?, RequestLogger.Entry.Outcome)] {
            let entries = Locked<[RequestLogger.Entry]>([])
            let logger = RequestLogger.passingEntries(level: .line) { entry in entries.withLock { $0.append(entry) } }
            var call = PlayedCall(.example())
            let response = HTTPResponse(statusCode: 200, request: .example())
            call.end(kind.map { .failure(NetworkError(kind: $0)) } ?? .success(response))
            call.play(to: logger)
            #expect(entries.withLock { $0.map(\.outcome) } == [outcome])
            #expect(entries.withLock { $0.first?.callID } == call.id)
        }
    }

    @Test func `a call is one line`() {
        let lines = log(.simple(.example()), level: .line)
        #expect(lines == ["#1 GET https://api.test/users/7 200 in 30 ms, 2 bytes"])
    }

    @Test func `the line of a GraphQL call has the name of the operation`() {
        let lines = log(.simple(.example(.post, "/graphql"), operation: "GetUser"), level: .line)
        #expect(lines == ["#1 POST https://api.test/graphql (GetUser) 200 in 30 ms, 2 bytes"])
    }

    @Test func `the line of a failed call has its error and its attempts`() {
        let error = NetworkError(kind: .timeout, reason: "no byte came", request: .example())
        var call = PlayedCall(.example())
        for _ in 1...2 {
            call.attempt(.example())
            call.exchange(.example(), .failure(error))
            call.endAttempt(.failure(error))
        }
        call.end(.failure(error))
        let line = "#1 GET https://api.test/users/7 failed in 60 ms, 2 attempts: Timed out: no byte came"
        #expect(log(call, level: .line) == [line + " (GET https://api.test/users/7)"])
    }

    @Test func `a canceled call is not a failure`() {
        var call = PlayedCall(.example())
        call.wait(.milliseconds(3))
        call.end(.failure(NetworkError(kind: .cancelled)))
        #expect(log(call, level: .line) == ["#1 GET https://api.test/users/7 canceled after 3.0 ms"])
    }

    @Test func `heads and what happens between exchanges are logged`() {
        let request = HTTPRequest.example(headers: ["Accept": "text/plain", "Authorization": "Bearer abc"])
        let text = log(.eventful(request)).joined(separator: "\n")
        for piece in [
            "#1 → GET https://api.test/users/7 (GetUser)\n    Accept: text/plain\n    Authorization: <redacted>",
            "#1 ← 302 from GET https://api.test/users/7 (GetUser) in 25 ms\n    Location: /next",
            "#1 ← Connection failed: the connection was lost", "#1 retries in 50 ms", "#1 refreshes the credential",
            "#1 credential refresh succeeded", "(GetUser), attempt 2", "#1 cache: NetworkEngine; fwd=miss",
        ] {
            #expect(text.contains(piece), "\(piece) in \(text)")
        }
        #expect(!text.contains(#"{"a"#))
    }

    @Test func `JSON is indented, and keeps its order and numbers`() {
        let body = Data(#"{"b":1.50,"a":[{},"x,y",12345678901234567890],"token":"abcdefgh"}"#.utf8)
        let text = log(.simple(.example(), body: body), level: .bodies).joined(separator: "\n")
        let expected = """
            {
                  "b": 1.50,
                  "a": [
                    {},
                    "x,y",
                    12345678901234567890
                  ],
                  "token": "<redacted>"
                }
            """
        #expect(text.contains(expected), "\(text)")
    }

    @Test func `binary bodies are summarized`() {
        let call = PlayedCall.simple(
            .example(), headers: ["Content-Type": "image/png"], body: Data(repeating: 0xFF, count: 3_210))
        #expect(log(call, level: .bodies).contains { $0.hasSuffix("(3.2 kB of image/png)") })
    }

    @Test func `long bodies are cut`() {
        let call = PlayedCall.simple(
            .example(), headers: ["Content-Type": "text/plain"], body: Data(repeating: 0x61, count: 5_000))
        let messages = log(call, level: .bodies, bodyLimit: 4)
        #expect(
            messages.contains { $0.hasSuffix("aaaa\n    (The body has 5000 bytes; the first 4 are recorded.)") },
            "\(messages)")
    }

    @Test func `a message of a server cannot pass for a line of the log, nor control a terminal`() {
        let body = Data("x\n#1 GET https://evil.test 200\u{1B}[2J\u{202E}".utf8)
        let call = PlayedCall.simple(.example(), headers: ["Content-Type": "text/plain"], body: body)
        let text = log(call, level: .bodies).joined(separator: "\n")
        #expect(text.contains(#"\#n    #1 GET https://evil.test 200\u{1b}[2J\u{202e}"#), "\(text)")
    }

    @Test func `a secret that the server repeats is not shown`() {
        let request = HTTPRequest.example(.post, headers: ["Authorization": "Bearer s3cr3t-word"])
        let call = PlayedCall.simple(request, headers: ["X-Echo": "s3cr3t-word"], body: Data("it is s3cr3t-word".utf8))
        let text = log(call, level: .bodies).joined()
        #expect(!text.contains("s3cr3t-word") && text.contains("it is <redacted>"), "\(text)")
    }

    @Test func `calls that were not observed are counted`() {
        let messages = Locked<[String]>([])
        let logger = RequestLogger { message in messages.withLock { $0.append(message) } }
        logger.handle(NetworkEvent(callID: RequestID(rawValue: 0), kind: .dropped(calls: 3)))
        #expect(messages.withLock { $0 } == ["3 calls were not logged, because the log was behind"])
    }
}
