import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Request bodies over real sockets.
@Suite(.timeLimit(.minutes(5))) struct FileUploadTests {
    private let provider = NetworkProvider<FileTarget>()

    @Test(arguments: [1, 100_000])
    func `the bytes of a file arrive`(count: Int) async throws {
        let server = try LoopbackServer()
        server.enqueue(.json(#"{"ok": true}"#))
        let folder = try TemporaryFolder()
        let text = String(repeating: "x", count: count)
        let file = try folder.file("photo.png", text)
        let answer: [String: Bool] = try await provider.upload(.upload(to: server, .uploadFile(file)))
        #expect(answer == ["ok": true])
        let request = try #require(try await server.requests(atLeast: 1).first)
        #expect(request.text == text && request.method == .post && request.headers["Content-Type"] == "image/png")
        #expect(request.headers["Content-Length"] == "\(count)")
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `an empty file is an empty body`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(204))
        let folder = try TemporaryFolder()
        let task = NetworkTask.uploadFile(try folder.file("empty.txt", ""))
        _ = try await provider.upload(.upload(to: server, task), as: EmptyBody.self)
        let request = try #require(try await server.requests(atLeast: 1).first)
        #expect(request.bodyCount == 0 && request.headers["Content-Length"] == "0")
    }

    @Test func `the parts of a form arrive, with parameters in the query`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(201))
        let folder = try TemporaryFolder()
        let parts = [
            MultipartFormData(provider: .data(Data("Ann".utf8)), name: "name"),
            MultipartFormData(provider: .file(try folder.file("photo.png", "pixels")), name: "avatar"),
        ]
        let task = NetworkTask.uploadCompositeMultipart(parts, urlParameters: ["a": 1])
        _ = try await provider.upload(.upload(to: server, task), as: EmptyBody.self)
        let request = try #require(try await server.requests(atLeast: 1).first)
        let boundary = try #require(request.headers["Content-Type"]?.components(separatedBy: "boundary=").last)
        let bodies = request.text.components(separatedBy: "--\(boundary)")
        #expect(bodies.count == 4 && bodies[0].isEmpty && bodies[3] == "--\r\n")
        #expect(bodies[1] == "\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nAnn\r\n")
        #expect(bodies[2].contains("name=\"avatar\"; filename=\"photo.png\"\r\nContent-Type: image/png\r\n\r\npixels"))
        #expect(request.query == "a=1")
    }

    @Test(arguments: Wire.distinct)
    func `a file that grows while it is sent sends the bytes that it announced`(wire: Wire) async throws {
        let count = 4 << 20
        var configuration = LoopbackConfiguration()
        configuration.receiveBufferSize = 1 << 16
        let server = try LoopbackServer(configuration) { _ in .json("7") }
        let folder = try TemporaryFolder()
        let file = try folder.file("log.txt", String(repeating: "x", count: count))
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let provider = NetworkProvider<FileTarget>(configuration: configuration)
            let grow = Locked<(() -> Void)?>({
                guard let handle = try? FileHandle(forWritingTo: file) else { return }
                _ = try? handle.seekToEnd()
                try? handle.write(contentsOf: Data(count: 1 << 20))
                try? handle.close()
            })
            // Two requests on one connection: extra bytes after the first body would be read as the second head.
            for _ in 0..<2 {
                let answer: Int = try await provider.upload(.upload(to: server, .uploadFile(file))) { report in
                    if report.direction == .sending, report.completed > 0 { grow.withLock { $0.take() }?() }
                }
                #expect(answer == 7)
            }
        }
        let requests = try await server.requests(atLeast: 2)
        #expect(requests.map(\.bodyCount) == [count, count + 1 << 20] && requests.allSatisfy { $0.method == .post })
    }

    @Test func `the progress of an upload rises to the total`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.status(200))
        let reports = Locked<[TransferProgress]>([])
        let target = FileTarget.upload(to: server, .requestData(Data(count: 3 << 20)))
        _ = try await provider.upload(target, as: EmptyBody.self) { report in reports.withLock { $0.append(report) } }
        let sending = reports.withLock { $0 }.filter { $0.direction == .sending }
        #expect(sending.map(\.completed) == sending.map(\.completed).sorted())
        #expect(sending.last?.completed == 3 << 20 && sending.last?.total == 3 << 20)
        #expect(sending.allSatisfy { $0.attempt == 1 && !$0.isRestart })
    }

    @Test(arguments: Wire.distinct)
    func `the progress of an upload counts sent bytes only`(wire: Wire) async throws {
        let server = try LoopbackServer { _ in .json("7").header("X-Long", String(repeating: "x", count: 9_000)) }
        let target = FileTarget.upload(to: server, .requestData(Data(count: 1 << 20)))
        try await wire.withTransport { transport in
            var configuration = NetworkConfiguration()
            configuration.transport = transport
            let provider = NetworkProvider<FileTarget>(configuration: configuration)
            let fractions = Locked<[Double?]>([])
            let note: @Sendable (TransferProgress) -> Void = { report in
                fractions.withLock { $0.append(report.fraction) }
            }
            _ = try await provider.upload(target, as: Int.self, progress: note)
            _ = await withCheckedContinuation { continuation in
                provider.upload(target, as: Int.self, queue: .global(), progress: note) {
                    continuation.resume(returning: $0)
                }
            }
            // One upload for each of the two.
            let all = fractions.withLock { $0.map { $0 ?? -1 } }
            #expect(all.filter { $0 == 1 }.count == 2)
            #expect(all.filter { $0 == 0 }.count == 2)
            #expect(!all.contains(-1))
        }
    }

    @Test func `the progress of a download counts received bytes only`()
        async throws
    {
        let server = try LoopbackServer { _ in .text("answer") }
        let target = FileTarget(
            server: server, path: "/file", method: .post,
            task: .downloadParameters(parameters: ["a": 1], encoding: .json, destination: .temporary))
        let directions = Locked<Set<TransferProgress.Direction>>([])
        let place = try await provider.download(target) { report in
            directions.withLock { _ = $0.insert(report.direction) }
        }
        try? FileManager.default.removeItem(at: place)
        #expect(directions.withLock { $0 } == [.receiving])
    }

    @Test func `a refused upload keeps the response`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.json(#"{"error": "too big"}"#, status: 413))
        let target = FileTarget.upload(to: server, .requestData(Data("x".utf8)))
        let error = await #expect(throws: NetworkError.self) { try await provider.upload(target, as: EmptyBody.self) }
        #expect(error?.statusName == .contentTooLarge)
        #expect(error?.response?.data == Data(#"{"error": "too big"}"#.utf8))
    }

    @Test func `a callback gets the response and the progress of an upload`() async throws {
        let server = try LoopbackServer()
        server.enqueue(.json("7"))
        let target = FileTarget.upload(to: server, .requestData(Data("body".utf8)))
        let reports = Locked<[Int64]>([])
        let result: Result<Int, NetworkError> = await withCheckedContinuation { continuation in
            provider.upload(target, as: Int.self, queue: .global()) { report in
                reports.withLock { $0.append(report.completed) }
            } completion: {
                continuation.resume(returning: $0)
            }
        }
        #expect(try result.get() == 7)
        #expect(reports.withLock { $0.contains(4) })
    }

    @Test func `canceling stops an upload that the server does not read`() async throws {
        let gate = LoopbackBarrier()
        let server = try LoopbackServer()
        server.enqueue(.status(200).held(by: gate))
        let handle = provider.upload(
            .upload(to: server, .requestData(Data(count: 100_000))),
            as: EmptyBody.self,
            queue: .global()
        ) { _ in }
        try await gate.arrivals(atLeast: 1)
        handle.cancel()
        #expect(handle.isCancelled)
        try await server.wait { $0.openConnections == 0 }
    }
}
