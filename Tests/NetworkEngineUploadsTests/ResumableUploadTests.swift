import Foundation
import NetworkEngineUploads
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Resumable uploads over real sockets.
@Suite(.timeLimit(.minutes(10))) struct ResumableUploadTests {
    @Test(arguments: Wire.all, LoopbackUpload.Dialect.all)
    func `a file arrives, and nothing is left behind`(wire: Wire, dialect: LoopbackUpload.Dialect) async throws {
        let rig = try UploadRig(dialect, wire)
        let reports = Locked<[TransferProgress]>([])
        let end = try await rig.client.upload(rig.request, resuming: rig.store, options: dialect.options) { report in
            reports.withLock { $0.append(report) }
        }
        #expect(end.response != nil && end.address?.path == "/files/0")
        #expect(try rig.stored() == rig.content)
        #expect(rig.uploads.receivedBytes == rig.content.count && rig.uploads.all[0].isComplete)
        #expect(!rig.hasState)
        let counts = reports.withLock { $0.map(\.completed) }
        #expect(counts == counts.sorted() && counts.last == Int64(rig.content.count))
        #expect(reports.withLock { $0.allSatisfy { $0.total == Int64(rig.content.count) } })
        let methods = rig.server.requests.map(\.method)
        #expect(methods == [.post, .patch])
    }

    @Test(arguments: Wire.all) func `the response to the last bytes is decoded`(wire: Wire) async throws {
        let rig = try UploadRig(.draft(version: 6), wire)
        let stored: Stored = try await rig.client.upload(rig.request, resuming: rig.store)
        #expect(stored == Stored(length: rig.content.count))
    }

    @Test(arguments: LoopbackUpload.Dialect.all, [0, 1, 5])
    func `data is uploaded, too, and none at all`(dialect: LoopbackUpload.Dialect, length: Int) async throws {
        let rig = try UploadRig(dialect, length: length)
        try await rig.client.upload(
            .post("/files").body(.data(rig.content)), resuming: rig.store, options: dialect.options)
        #expect(try rig.stored() == rig.content && rig.uploads.all[0].isComplete)
    }

    @Test(arguments: LoopbackUpload.Dialect.all) func `pieces arrive in order`(dialect: LoopbackUpload.Dialect)
        async throws
    {
        let rig = try UploadRig(dialect, length: 1_001)
        var options = dialect.options
        options.pieceSize = 100
        try await rig.client.upload(rig.request, resuming: rig.store, options: options)
        #expect(try rig.stored() == rig.content && rig.server.requests.count == 12)
        #expect(rig.server.requests.dropFirst().map(\.bodyCount).reduce(0, +) == 0)
        #expect(rig.uploads.receivedBytes == 1_001)
    }

    @Test func `the server's limit for one request is kept, in a later process, too`() async throws {
        let rig = try UploadRig(
            .draft(version: 6), length: 1_000,
            early: { uploads, request in
                var response = uploads.response(to: request)
                if request.method == .post {
                    // The creation's response is sent later.
                    response = .receiving { _ in
                        .status(
                            201,
                            headers: [
                                "Location": "/files/0", "Upload-Draft-Interop-Version": "6", "Upload-Complete": "?0",
                                "Upload-Limit": "max-size=1000, max-append-size=400",
                            ])
                    }
                }
                return response
            })
        try await rig.client.upload(rig.request, resuming: rig.store, options: .quick())
        #expect(rig.server.requests.map(\.method) == [.post, .patch, .patch, .patch])
        #expect(try rig.stored() == rig.content)
    }

    @Test(arguments: Wire.all, LoopbackUpload.Dialect.all)
    func `an upload continues after lost connections`(wire: Wire, dialect: LoopbackUpload.Dialect) async throws {
        var resumptions = 0
        // On a busy machine, an upload can be faster than the task that closes its connections.
        for _ in 0..<20 where resumptions < 2 { resumptions = try await resumptionsOfUpload(wire, dialect) }
        #expect(resumptions >= 2)
    }

    /// Uploads a file while its connections are closed.
    private func resumptionsOfUpload(_ wire: Wire, _ dialect: LoopbackUpload.Dialect) async throws -> Int {
        let rig = try UploadRig(dialect, wire, length: 8 << 20)
        let server = rig.server
        let uploads = rig.uploads
        let losing = Task {
            for step in 1...4 {
                try await uploads.received(atLeast: Int64(step) << 20)
                server.closeConnections(step % 2 == 0 ? .close : .reset)
            }
        }
        try await rig.client.upload(rig.request, resuming: rig.store, options: dialect.options)
        try await losing.value
        #expect(try rig.stored() == rig.content && rig.uploads.all.count == 1)
        return rig.server.requests.count { $0.method == .head }
    }

    @Test(arguments: LoopbackUpload.Dialect.all)
    func `a later call continues what was canceled`(dialect: LoopbackUpload.Dialect) async throws {
        let rig = try UploadRig(dialect, length: 4 << 20)
        let (client, request, store) = (rig.client, rig.request, rig.store)
        for step in 1...3 {
            let call = Task { try await client.upload(request, resuming: store, options: dialect.options) }
            try await rig.uploads.received(atLeast: Int64(step) << 20)
            call.cancel()
            let error = await #expect(throws: NetworkError.self) { try await call.value }
            #expect(error?.kind == .cancelled && rig.hasState)
        }
        try await client.upload(request, resuming: store, options: dialect.options)
        #expect(try rig.stored() == rig.content && rig.uploads.all.count == 1 && !rig.hasState)
    }

    @Test(arguments: Wire.all, LoopbackUpload.Dialect.all)
    func `an upload begins although answers to its first request are lost`(
        wire: Wire,
        dialect: LoopbackUpload.Dialect
    ) async throws {
        let count = Locked(0)
        let rig = try UploadRig(
            dialect, wire, length: 10_000,
            early: { uploads, request in
                guard request.method == .post else { return uploads.response(to: request) }
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                switch number {
                case 0: return .fault(.close).early()
                case 1: return .fault(.reset).early()
                case 2: return .status(503).early()
                default: return uploads.response(to: request)
                }
            })
        try await rig.client.upload(rig.request, resuming: rig.store, options: dialect.options)
        #expect(try rig.stored() == rig.content && !rig.hasState)
        #expect(rig.server.requests.map(\.method) == [.post, .post, .post, .post, .patch])
    }

    @Test(arguments: Wire.all, [3, 6])
    func `an upload that a server announces, and then answers with its address alone, is sent`(
        wire: Wire,
        version: Int
    ) async throws {
        let rig = try UploadRig(
            .draft(version: version), wire, length: 10_000,
            early: { uploads, request in
                // The upload starts, and gets a different response.
                let response = uploads.response(to: request)
                guard request.method == .post else { return response }
                let fields: HTTPHeaders = ["Location": "/files/0"]
                return LoopbackResponse.status(201, headers: fields).interim(104, headers: fields).early()
            })
        let options = ResumableUploadOptions.quick { $0.uploadProtocol = .draft(version: version) }
        try await rig.client.upload(rig.request, resuming: rig.store, options: options)
        #expect(try rig.stored() == rig.content)
        #expect(rig.server.requests.map(\.method) == [.post, .head, .patch])
    }

    @Test func `a token that is refreshed meanwhile is used for the rest`() async throws {
        let token = Locked("old")
        let refresher = TokenRefresher(store: InMemoryCredentialStore(BearerToken("old"))) { _, _ in
            token.withLock { $0 = "new" }
            return BearerToken("new")
        }
        let rig = try UploadRig(
            length: 10_000, with: [refresher],
            early: { uploads, request in
                let isOld = request.headers["Authorization"] == "Bearer old"
                return isOld && request.headers["Upload-Offset"] == "4000"
                    ? .status(401).early() : uploads.response(to: request)
            })
        try await rig.client.upload(rig.request, resuming: rig.store, options: .quick { $0.pieceSize = 4_000 })
        #expect(try rig.stored() == rig.content)
        #expect(token.withLock { $0 } == "new")
        #expect(rig.server.requests.last?.headers["Authorization"] == "Bearer new")
    }

    @Test func `content is not compressed on its way`() async throws {
        let rig = try UploadRig(with: [RequestCompression(.gzip)])
        try await rig.client.upload(rig.request, resuming: rig.store)
        #expect(try rig.stored() == rig.content)
        try await rig.client.upload(.post("/files").body(.data(rig.content)), resuming: rig.store)
        #expect(try rig.uploads.all.last.map { try Data(contentsOf: $0.file) } == rig.content)
    }

    @Test(arguments: [503, 429, 423, 409]) func `an upload continues after such a status`(status: Int) async throws {
        let count = Locked(0)
        let rig = try UploadRig(
            .draft(version: 6),
            early: { uploads, request in
                let isFirst =
                    request.method == .patch
                    && count.withLock { count in
                        count += 1
                        return count == 1
                    }
                return isFirst ? .status(status).early() : uploads.response(to: request)
            })
        try await rig.client.upload(rig.request, resuming: rig.store, options: .quick())
        #expect(try rig.stored() == rig.content && rig.server.requests.map(\.method) == [.post, .patch, .head, .patch])
    }

    @Test func `after a failure the server is asked before it gets the bytes`() async throws {
        let rig = try UploadRig(early: { uploads, request in
            request.method == .patch && request.headers["Expect"] == nil
                ? .status(503).early() : uploads.response(to: request)
        })
        try await rig.client.upload(rig.request, resuming: rig.store, options: .quick())
        #expect(try rig.stored() == rig.content)
        #expect(rig.server.requests.last?.headers["Expect"] == "100-continue")
    }

    @Test func `headers about the first request stay with it`() async throws {
        let rig = try UploadRig()
        let request = rig.request.header("Content-Type", "video/quicktime").header("Idempotency-Key", "k")
            .header("If-None-Match", "*").header("X-App", "a")
        try await rig.client.upload(request, resuming: rig.store)
        let (first, second) = (rig.server.requests[0], rig.server.requests[1])
        #expect(first.headers["Idempotency-Key"] == "k" && first.headers["If-None-Match"] == "*")
        #expect(first.headers["Upload-Metadata"] == "filename ZmlsbS5tb3Y=,filetype dmlkZW8vcXVpY2t0aW1l")
        #expect(first.headers["Content-Length"] == "0")
        #expect(second.headers["Idempotency-Key"] == nil && second.headers["If-None-Match"] == nil)
        #expect(second.headers["Content-Type"] == "application/offset+octet-stream" && second.headers["X-App"] == "a")
    }

    @Test func `an upload that nobody continues is removed from the server`() async throws {
        let rig = try UploadRig(early: { uploads, request in
            request.method == .patch ? .status(400).early() : uploads.response(to: request)
        })
        await #expect(throws: NetworkError.self) {
            try await rig.client.upload(rig.request, resuming: rig.store)
        }
        #expect(rig.hasState && rig.uploads.all.count == 1)
        // The file may have been removed by then.
        try FileManager.default.removeItem(at: rig.file)
        try await rig.client.discardUpload(.post("/files"), resuming: rig.store)
        #expect(!rig.hasState && rig.uploads.all.isEmpty)
        try await rig.client.discardUpload(.post("/files"), resuming: rig.store)
        #expect(rig.server.requests.count == 4)
    }
}
