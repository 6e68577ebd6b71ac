import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Uploads with `Expect`, with compression, or with a response before they are sent, over every transport.
@Suite(.timeLimit(.minutes(5))) struct UploadOptionTests {
    enum Wire {
        case urlSession, curl

        /// The transports that the tests run over.
        static let all: [Wire] = TestTransports.chosen(
            urlSession: .urlSession, curl: CurlTransport.isAvailable ? .curl : nil)

        func provider(_ interceptors: [any RequestInterceptor] = []) -> NetworkProvider<FileTarget> {
            var configuration = NetworkConfiguration()
            if self == .curl { configuration.transport = CurlTransport() }
            return NetworkProvider(interceptors: interceptors, configuration: configuration)
        }
    }

    private static let body = Data(repeating: 7, count: 4 << 20)

    private func failure(_ provider: NetworkProvider<FileTarget>, _ target: FileTarget) async -> NetworkError? {
        await #expect(throws: NetworkError.self) { try await provider.upload(target, as: EmptyBody.self) }
    }

    @Test(arguments: Wire.all) func `a server that rejects the expectation gets no body`(_ wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text("too large", status: 413).early().withholdingContinue())
        let error = await failure(
            wire.provider([ExpectContinue()]), .upload(to: server, .requestData(Self.body)))
        #expect(error?.statusCode == 413 && error?.response?.data == Data("too large".utf8))
        let request = try #require(server.requests.first)
        #expect(request.headers["Expect"] == "100-continue" && request.bodyCount == 0)
    }

    @Test(arguments: Wire.all) func `a server that answers 417 gets the request again without the expectation`(
        _ wire: Wire
    ) async throws {
        let server = try LoopbackServer { _ in .status(204) }
        server.enqueue(LoopbackResponse.text("do not ask", status: 417).early().withholdingContinue())
        _ = try await wire.provider([ExpectContinue()]).upload(
            .upload(to: server, .requestData(Self.body)), as: EmptyBody.self)
        let requests = try await server.requests(atLeast: 2)
        #expect(requests.map { $0.headers["Expect"] } == ["100-continue", nil])
        #expect(requests.map(\.bodyCount) == [0, Self.body.count])
    }

    @Test(arguments: Wire.all) func `a server that accepts the expectation gets the whole body`(_ wire: Wire)
        async throws
    {
        let server = try LoopbackServer { _ in .status(204) }
        _ = try await wire.provider([ExpectContinue()]).upload(
            .upload(to: server, .requestData(Self.body)), as: EmptyBody.self)
        let request = try #require(try await server.requests(atLeast: 1).first)
        #expect(request.bodyCount == Self.body.count && request.isComplete)
    }

    @Test(arguments: Wire.all)
    func `a response that arrives during the upload is the response`(_ wire: Wire) async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text("too large", status: 413).early())
        let folder = try TemporaryFolder()
        let file = try folder.file("a.bin", "")
        try Data(count: 32 << 20).write(to: file)
        let form = NetworkTask.uploadMultipart([MultipartFormData(provider: .file(file), name: "a")])
        let error = await failure(wire.provider(), .upload(to: server, form))
        #expect(error?.statusCode == 413 && error?.response?.data == Data("too large".utf8))
    }

    @Test(
        .enabled(if: RequestCompression.isAvailable, "the system has no zlib"),
        arguments: Wire.all
    )
    func `a compressed file arrives with its coding and its compressed length`(_ wire: Wire) async throws {
        let server = try LoopbackServer { _ in .status(204) }
        let folder = try TemporaryFolder()
        let file = try folder.file("a.txt", String(repeating: "again ", count: 100_000))
        _ = try await wire.provider([RequestCompression()]).upload(
            .upload(to: server, .uploadFile(file)), as: EmptyBody.self)
        let request = try #require(try await server.requests(atLeast: 1).first)
        #expect(request.headers["Content-Encoding"] == "gzip" && request.headers["Content-Type"] == "text/plain")
        #expect(request.body.prefix(2) == Data([0x1F, 0x8B]) && request.bodyCount < 10_000 && request.isComplete)
    }
}
