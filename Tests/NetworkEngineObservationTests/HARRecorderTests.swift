import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation

@Suite(.timeLimit(.minutes(5))) struct HARRecorderTests {
    private func archive(of recorder: HARRecorder) throws -> HARFile {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("calls.har")
        try recorder.write(to: file)
        return try HARFile(Data(contentsOf: file))
    }

    private func entries(_ calls: PlayedCall..., recorder: HARRecorder = HARRecorder()) throws -> [HAREntry] {
        for call in calls { call.play(to: recorder) }
        return try archive(of: recorder).log.entries
    }

    @Test func `each redirect, attempt and failure is an entry`() throws {
        let entries = try entries(.eventful(.example()))
        #expect(entries.map(\.response.status) == [302, 0, 200])
        #expect(entries.map(\._attempt) == [1, 1, 2])
        #expect(entries[0].response.redirectURL == "/next" && entries[0].serverIPAddress == "127.0.0.1")
        #expect(entries.map(\.request.httpVersion) == ["HTTP/1.1", "unknown", "HTTP/2"])
        #expect(entries[1].response._error == "lostBeforeResponse")
        #expect(entries[1].response.comment?.contains("the connection was lost") == true)
        #expect(entries[2]._cache == "miss")
    }

    @Test func `a response from the cache is an entry`() throws {
        let entry = try #require(try entries(.cached(.example())).first)
        #expect(entry._cache == "hit" && entry.response.status == 200 && entry.response.content.text == "stored")
        #expect(entry.comment == "Cache-Status: NetworkEngine; hit; ttl=9")
    }

    @Test func `the fields after a body are in its entry`() throws {
        let request = HTTPRequest.example()
        var response = HTTPResponse(statusCode: 200, request: request)
        response.trailers = ["X-Sum": "5", "X-Auth-Token": "hush-7"]
        var call = PlayedCall(request)
        call.attempt(request)
        call.exchange(request, .success(response))
        call.end(.success(response))
        let entry = try #require(try entries(call).first)
        #expect(entry.response._trailers?.map(\.value) == ["5", "<redacted>"])
    }

    @Test func `the phases add up to the time of an entry`() throws {
        for entry in try entries(.eventful(.example()), .cached(.example()), .simple(.example())) {
            let timings = entry.timings
            let phases = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait, timings.receive]
            let sum = phases.compactMap(\.self).filter { $0 >= 0 }.reduce(0, +)
            #expect(abs(sum - entry.time) < 0.000_1, "\(timings)")
        }
    }

    @Test func `phases that the transport measured keep their times`() throws {
        let timings = try #require(try entries(.eventful(.example())).first).timings
        #expect(timings.dns == 3 && timings.connect == 9 && timings.ssl == 5 && timings.wait == 8)
        #expect(timings.receive == 5 && timings.blocked == 5)
    }

    @Test func `a phase that is not known is -1`() throws {
        let timings = try #require(try entries(.simple(.example())).first).timings
        #expect(timings.dns == -1 && timings.connect == -1 && timings.ssl == -1 && timings.wait == 15)
    }

    /// A request that was sent this long after its admission, on a new connection that took 12 ms, and was answered
    /// after 20 ms.
    private func timings(requestSent: Duration?, isConnectionReused: Bool = false) throws -> HAREntry.Timings {
        var metrics = ExchangeMetrics(
            firstByte: .milliseconds(20), total: .milliseconds(25), isConnectionReused: isConnectionReused,
            requestSent: requestSent)
        if !isConnectionReused {
            metrics.domainLookup = .milliseconds(3)
            metrics.connecting = .milliseconds(4)
            metrics.tlsHandshake = .milliseconds(5)
        }
        let request = HTTPRequest.example()
        let response = HTTPResponse(statusCode: 200, request: request)
        var call = PlayedCall(request)
        call.attempt(request)
        call.exchange(request, .success(response), metrics: metrics)
        call.end(.success(response))
        let entry = try #require(try entries(call).first)
        let timings = entry.timings
        let phases = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait, timings.receive]
        let sum = phases.compactMap(\.self).filter { $0 >= 0 }.reduce(0, +)
        #expect(abs(sum - entry.time) < 0.000_1, "\(timings)")
        return timings
    }

    @Test func `a request is sent from the connection to its last byte, and waits after that`() throws {
        let new = try timings(requestSent: .milliseconds(14))
        #expect(new.send == 2 && new.wait == 6 && new.receive == 5)
        let reused = try timings(requestSent: .milliseconds(14), isConnectionReused: true)
        #expect(reused.send == 14 && reused.wait == 6 && reused.connect == -1)
    }

    @Test func `sending ends with an early answer`() throws {
        let timings = try timings(requestSent: .milliseconds(24))
        #expect(timings.send == 8 && timings.wait == 0 && timings.receive == 5)
    }

    @Test func `sending takes no time where the transport does not know it`() throws {
        for sent in [nil, .zero, .milliseconds(11)] as [Duration?] {
            let timings = try timings(requestSent: sent)
            #expect(timings.send == 0 && timings.wait == 8)
        }
    }

    @Test func `entries are sorted by their starts, also those of concurrent calls`() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        var first = PlayedCall(.example(path: 1), date: date)
        for path in [1, 3] {
            let request = HTTPRequest.example(path: path)
            first.attempt(request)
            let failure = NetworkError(.lostBeforeResponse, reason: "lost", request: request)
            first.exchange(request, .failure(failure), lasting: .milliseconds(100))
            first.endAttempt(.failure(failure))
        }
        first.end(.failure(NetworkError(.lostBeforeResponse, reason: "lost")))
        let second = PlayedCall.simple(.example(path: 2), date: date.addingTimeInterval(0.05))
        let entries = try entries(first, second)
        #expect(entries.map { $0.request.url.suffix(2) } == ["/1", "/2", "/3"])
        #expect(entries.map(\.startedDateTime) == entries.map(\.startedDateTime).sorted())
        let last = try self.entries(first, second, recorder: HARRecorder(limit: 3))
        #expect(last.map(\.startedDateTime) == entries.map(\.startedDateTime))
    }

    @Test func `a long body is cut between characters, and its entry says so`() throws {
        let recorder = HARRecorder(bodyLimit: 8)
        let entry = try #require(
            try entries(.simple(.example(), body: Data("1234567é9".utf8)), recorder: recorder).first)
        #expect(entry.response.content.text == "1234567" && entry.response.content.size == 10)
        #expect(entry.response.content.comment == "The body has 10 bytes; the first 7 are recorded.")
    }

    @Test func `binary bodies are recorded in Base64`() throws {
        let bytes = Data([0xFF, 0x00, 0x10])
        let request = HTTPRequest.example(.post, headers: ["Content-Type": "image/x"], body: .data(bytes))
        let entry = try #require(try entries(.simple(request, body: bytes)).first)
        #expect(entry.request.postData?.data == bytes && entry.response.content.data == bytes)
    }

    @Test func `the last exchanges are kept`() throws {
        let recorder = HARRecorder(limit: 3)
        for number in 1...10 { PlayedCall.simple(.example(path: number)).play(to: recorder) }
        let archive = try archive(of: recorder)
        #expect(archive.log.entries.map(\.request.url).map { $0.suffix(2) } == ["/8", "/9", "10"])
        #expect(archive.log.comment == "7 calls are not in this recording.")
    }

    @Test func `the oldest bodies go first when the memory is used up`() throws {
        let recorder = HARRecorder(memoryLimit: 100_000)
        let body = Data(String(repeating: "x", count: 10_000).utf8)
        for number in 1...20 { PlayedCall.simple(.example(path: number), body: body).play(to: recorder) }
        let entries = try archive(of: recorder).log.entries
        #expect(entries.count == 20 && recorder.cost <= 100_000)
        #expect(entries.first?.response.content.text == "" && entries.last?.response.content.text?.count == 10_000)
        #expect(entries.first?.response.content.comment?.contains("removed") == true)
    }

    @Test func `an exchange of an open call is written`() throws {
        let recorder = HARRecorder()
        for event in PlayedCall.simple(.example()).events.dropLast(2) { recorder.handle(event) }
        #expect(try archive(of: recorder).log.entries.count == 1)
    }

    @Test func `only its owner can read the file`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("calls.har")
        try HARRecorder().write(to: file)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test(.enabled(if: HARValidator.isInstalled, "jsonschema is not installed in .build/python"))
    func `an independent validator accepts the archive by the schema of HAR 1.2`() async throws {
        let recorder = HARRecorder()
        let multipart = HTTPRequest.example(
            .post, "/x?a=1&b", headers: ["Content-Type": "text/plain; charset=utf-8"], body: .data(Data([0xFF])))
        let calls: [PlayedCall] = [
            .eventful(.example()), .cached(.example()), .simple(multipart, headers: [:], body: Data()),
        ]
        for call in calls { call.play(to: recorder) }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("calls.har")
        try recorder.write(to: file)
        let (status, output) = try await HARValidator.check(file)
        #expect(status == 0 && output.contains("5 entries are valid"), "\(output)")
    }
}

extension HTTPRequest {
    fileprivate static func example(path number: Int) -> HTTPRequest { example(.get, "/\(number)") }
}
