import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Compressed bodies, decompressed by the other half of zlib.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: RequestCompression.isAvailable && CurlDecoder(codings: ["gzip"]) != nil, "the system has no zlib")
)
struct RequestCompressionTests {
    private static let text = Data(String(repeating: "all work and no play ", count: 20_000).utf8)

    private func adapted(_ body: RequestBody, _ coding: RequestCompression.Coding) async throws -> HTTPRequest {
        let url = try #require(URL(string: "http://localhost/"))
        let request = HTTPRequest(method: .post, url: url, body: body)
        return try await RequestCompression(coding).adapt(request, context: RequestContext())
    }

    private func bytes(_ body: RequestBody) async throws -> Data {
        guard case .stream(let stream) = body else { return body.data ?? Data() }
        return try await stream.reduce(Data(), +)
    }

    private func undone(_ data: Data, _ coding: RequestCompression.Coding) throws -> Data {
        let decoder = try #require(CurlDecoder(codings: [coding.rawValue]))
        var result = Data()
        _ = try data.withUnsafeBytes { bytes in
            try decoder.decode(bytes) { part in
                result.append(contentsOf: part)
                return true
            }
        }
        try decoder.finish()
        return result
    }

    @Test func `the file that a symbolic link leads to is compressed`() async throws {
        let folder = try TemporaryFolder()
        let link = folder.url.appendingPathComponent("link")
        let file = try folder.file("file", String(decoding: Self.text, as: UTF8.self))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let request = try await adapted(.file(link), .gzip)
        #expect(request.headers["Content-Encoding"] == "gzip")
        #expect(try undone(await bytes(request.body), .gzip) == Self.text)
    }

    @Test(arguments: RequestCompression.Coding.allCases, ["data", "file", "stream"])
    func `a compressed body is shorter and decodes to the same bytes`(
        _ coding: RequestCompression.Coding,
        _ source: String
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Self.text.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let pieces = stride(from: 0, to: Self.text.count, by: 1000).map {
            Self.text[$0..<min($0 + 1000, Self.text.count)]
        }
        let body: RequestBody =
            switch source {
            case "data": .data(Self.text)
            case "file": .file(file)
            default:
                .stream(
                    BodyStream(
                        AsyncStream(Data.self) {
                            for piece in pieces { $0.yield(piece) }; $0.finish()
                        }))
            }
        let request = try await adapted(body, coding)
        let sent = try await bytes(request.body)
        #expect(request.headers["Content-Encoding"] == coding.rawValue && sent.count < Self.text.count / 50)
        #expect(try undone(sent, coding) == Self.text)
    }

    @Test func `random bytes arrive complete in several chunks`() async throws {
        var generator = SeededGenerator(seed: 7)
        let noise = Data.noise(500_000, using: &generator)
        let stream = BodyStream(length: 500_000) {
            AsyncThrowingStream {
                $0.yield(noise)
                $0.finish()
            }
        }
        let request = try await adapted(.stream(stream), .gzip)
        let sent = try await bytes(request.body)
        #expect(try undone(sent, .gzip) == noise)
        let whole = try await adapted(.data(noise), .gzip)
        #expect(whole.headers["Content-Encoding"] == nil)
    }

    @Test(arguments: RequestCompression.Coding.allCases)
    func `a body in memory is sent compressed if that is shorter`(coding: RequestCompression.Coding) async throws {
        var generator = SeededGenerator(seed: 3)
        let noise = Data.noise(1_024, using: &generator)
        var gains: [Int] = []
        for zeros in 0..<80 {
            let body = noise + Data(count: zeros)
            let request = try await adapted(.data(body), coding)
            let sent = try await bytes(request.body)
            let isCoded = request.headers["Content-Encoding"] != nil
            #expect(isCoded ? sent.count < body.count : sent == body, "\(zeros) zeros")
            gains.append(body.count - sent.count)
        }
        #expect(gains.contains(0) && gains.contains(1))
    }

    /// Four gibibytes and one byte in the long form: more than zlib's counters hold.
    @Test func `a body larger than zlib's counter is compressed completely`() async throws {
        let length = TestLength.isLong ? 4 << 30 | 1 : 1 << 20 | 1
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(length))
        let request = try await adapted(.data(Data(contentsOf: file, options: .alwaysMapped)), .gzip)
        let sent = try #require(request.body.data)
        let decoder = try #require(CurlDecoder(codings: ["gzip"]))
        var count = 0
        _ = try sent.withUnsafeBytes { bytes in
            try decoder.decode(bytes) { part in
                count += part.count
                return true
            }
        }
        try decoder.finish()
        #expect(count == length && sent.count < length / 500)
    }

    @Test func `short and already coded bodies are not compressed`() async throws {
        #expect(try await adapted(.data(Data(count: 1023)), .gzip).headers["Content-Encoding"] == nil)
        let url = try #require(URL(string: "http://localhost/"))
        let coded = HTTPRequest(
            method: .post, url: url, headers: ["Content-Encoding": "br"], body: .data(Self.text))
        let sent = try await RequestCompression().adapt(coded, context: RequestContext())
        #expect(sent.headers["Content-Encoding"] == "br" && sent.body.data == Self.text)
    }

    @Test func `a one-shot stream is not compressed twice`() async throws {
        let stream = BodyStream(isReplayable: false) {
            AsyncThrowingStream {
                $0.yield(Self.text)
                $0.finish()
            }
        }
        let (first, second) = (try await adapted(.stream(stream), .gzip), try await adapted(.stream(stream), .gzip))
        let sent = try await bytes(first.body)
        #expect(!first.body.isReplayable && !sent.isEmpty)
        let error = await #expect(throws: NetworkError.self) { try await bytes(second.body) }
        #expect(error?.transportFailure == .requestBody)
    }
}
