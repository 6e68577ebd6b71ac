import Foundation
import NetworkEngineMocks
import NetworkEngineUploads
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Uploads that fail: each error includes the reason, and no wrong byte completes an upload.
@Suite(.timeLimit(.minutes(10))) struct UploadFailureTests {
    private func failure(_ rig: UploadRig, _ options: ResumableUploadOptions = .quick()) async -> NetworkError? {
        await #expect(throws: NetworkError.self) {
            try await rig.client.upload(rig.request, resuming: rig.store, options: options)
        }
    }

    /// A rig with an upload that was interrupted after some chunks of 1,000 bytes.
    private func interrupted(
        _ dialect: LoopbackUpload.Dialect = .tus,
        afterBytes count: Int = 2_000,
        length: Int = 5_000
    ) async throws -> UploadRig {
        let stops = Locked(true)
        let rig = try UploadRig(
            dialect, length: length,
            early: { uploads, request in
                let isThere = request.headers["Upload-Offset"] == "\(count)" && request.method == .patch
                let refuses =
                    isThere
                    && stops.withLock { stops in
                        defer { stops = stops && !isThere }
                        return stops
                    }
                return refuses ? .status(403).early() : uploads.response(to: request)
            })
        let error = await failure(rig, dialect.options.with { $0.pieceSize = 1_000 })
        #expect(error?.statusCode == 403 && rig.hasState && rig.uploads.all[0].offset == Int64(count))
        return rig
    }

    // MARK: Servers

    @Test(arguments: [
        LoopbackResponse.status(200), .status(201, headers: ["Location": "/files/1"]),
        .status(201, headers: ["Tus-Resumable": "1.0.0"]),
    ])
    func `a server that does not resume uploads gets no content`(response: LoopbackResponse) async throws {
        let rig = try UploadRig(early: { _, _ in response.early() })
        let error = await failure(rig)
        #expect(error?.kind == .unsupported && error?.underlying as? UploadFailure == .notSupported)
        #expect(!rig.hasState && rig.server.requests.allSatisfy { $0.bodyCount == 0 })
    }

    @Test(arguments: ["ftp://a.test/", "mailto:a", "http://", "http://[/"])
    func `an address that is none is an error`(location: String) async throws {
        let rig = try UploadRig(early: { _, _ in
            .status(201, headers: ["Location": location, "Tus-Resumable": "1.0.0"]).early()
        })
        #expect(await failure(rig)?.kind == .invalidResponse && !rig.hasState)
    }

    @Test(arguments: LoopbackUpload.Dialect.all)
    func `a server that forgets ends the upload, and the next call begins another`(
        dialect: LoopbackUpload.Dialect
    ) async throws {
        let rig = try await interrupted(dialect)
        rig.uploads.forget()
        let error = await failure(rig, dialect.options)
        #expect(error?.underlying as? UploadFailure == .forgotten && error?.statusCode == 404 && !rig.hasState)
        try await rig.client.upload(rig.request, resuming: rig.store, options: dialect.options)
        #expect(try rig.stored() == rig.content)
    }

    @Test func `an upload that is forgotten while it is sent ends, too`() async throws {
        let rig = try UploadRig(early: { uploads, request in
            request.method == .patch ? .status(410).early() : uploads.response(to: request)
        })
        let error = await failure(rig)
        #expect(error?.underlying as? UploadFailure == .forgotten && !rig.hasState)
    }

    @Test(arguments: LoopbackUpload.Dialect.all)
    func `an offset that goes backwards is an error`(dialect: LoopbackUpload.Dialect) async throws {
        let rig = try await interrupted(dialect)
        rig.uploads.cut(to: 1_999)
        let error = await failure(rig, dialect.options)
        #expect(error?.underlying as? UploadFailure == .offsetWentBack(from: 2_000, to: 1_999))
        #expect(error?.kind == .invalidResponse && !rig.hasState && rig.server.requests.last?.method == .head)
    }

    @Test(arguments: [
        ["Upload-Offset": "5001"], ["Upload-Offset": "2000", "Upload-Length": "5001"], ["Upload-Offset": "-1"], [:],
        ["Upload-Offset": "9223372036854775808"],
    ])
    func `an offset that cannot be is an error, and no byte is sent`(fields: [String: String]) async throws {
        let rig = try await interrupted()
        let count = rig.server.requests.count
        rig.server.enqueue(.status(200, headers: HTTPHeaders(declared: fields)))
        let error = await failure(rig)
        // If the response has no offset, it may come from a proxy. A contradiction comes from the server.
        let isContradiction = error?.underlying as? UploadFailure == .contradictoryRecord
        #expect(error?.kind == .invalidResponse && rig.hasState != isContradiction)
        #expect(isContradiction == (fields.values.contains("5001")))
        #expect(rig.server.requests.count == count + 1)
    }

    @Test(arguments: LoopbackUpload.Dialect.all)
    func `a server that has taken nothing is sent it again`(dialect: LoopbackUpload.Dialect) async throws {
        // The server reports that it has nothing from the first three requests.
        let count = Locked(0)
        let rig = try UploadRig(
            dialect, length: 4_000,
            early: { uploads, request in
                let isTaken =
                    request.method != .patch
                    || count.withLock { count in
                        count += 1
                        return count > 3
                    }
                if isTaken { return uploads.response(to: request) }
                return .receiving { exchange in
                    for try await _ in exchange.received {}
                    return .status(204, headers: ["Upload-Offset": "0", "Tus-Resumable": "1.0.0"])
                }
            })
        try await rig.client.upload(rig.request, resuming: rig.store, options: dialect.options)
        #expect(try rig.stored() == rig.content)
        #expect(rig.server.requests.filter { $0.method == .head }.count == 3)
    }

    @Test func `a server that never takes a byte ends the upload after some failures`() async throws {
        let rig = try UploadRig(early: { uploads, request in
            guard request.method == .patch else { return uploads.response(to: request) }
            return .status(204, headers: ["Upload-Offset": "0", "Tus-Resumable": "1.0.0"]).early()
        })
        let error = await failure(rig, .quick { $0.failureLimit = 3 })
        #expect(error?.kind == .invalidResponse || error?.kind == .transport || error?.kind == .connection)
        #expect(rig.hasState && rig.server.requests.filter { $0.method == .patch }.count == 4)
    }

    @Test(arguments: [true, false])
    func `a final response that is lost is said to be lost`(decodes: Bool) async throws {
        let rig = try UploadRig(.draft(version: 6), finish: { _ in .fault(.close) })
        if decodes {
            let error = await #expect(throws: NetworkError.self) {
                _ = try await rig.client.upload(rig.request, resuming: rig.store, as: Stored.self, options: .quick())
            }
            #expect(error?.underlying as? UploadFailure == .responseLost)
        } else {
            let end = try await rig.client.upload(rig.request, resuming: rig.store, options: .quick())
            #expect(end.response == nil && end.address?.path == "/files/0")
        }
        #expect(try rig.stored() == rig.content && !rig.hasState && rig.uploads.all.count == 1)
    }

    @Test func `a refusal of the complete content is the error of the call`() async throws {
        let rig = try UploadRig(.draft(version: 6), finish: { _ in .text("broken film", status: 500) })
        let error = await failure(rig)
        #expect(error?.statusCode == 500 && error?.response?.text == "broken film" && !rig.hasState)
    }

    @Test func `more than the server takes is not sent`() async throws {
        let rig = try UploadRig(early: { _, _ in
            .status(
                201,
                headers: [
                    "Location": "/files/0", "Upload-Complete": "?0", "Upload-Draft-Interop-Version": "6",
                    "Upload-Limit": "max-size=299999",
                ]
            ).early()
        })
        #expect(await failure(rig)?.kind == .limit && !rig.hasState && rig.server.requests.count == 1)
    }

    // MARK: Origins

    @Test(arguments: [true, false])
    func `another origin gets the content only if the caller allows it, and no credential`(
        isAllowed: Bool
    ) async throws {
        let other = try UploadRig()
        let address = other.server.url.absoluteString + "/files/0"
        // The first upload to the other server.
        let begin = Endpoint.post("/files").header("Tus-Resumable", "1.0.0").header("Upload-Length", "300000")
        _ = try await HTTPClient(baseURL: other.server.url).request(begin, decoding: .response)
        let token = TokenSource { "t" }
        let rig = try UploadRig(
            with: [token],
            early: { _, _ in
                .status(201, headers: ["Location": address, "Tus-Resumable": "1.0.0"]).early()
            })
        let request = rig.request.header("Cookie", "a=b")
        if isAllowed {
            try await rig.client.upload(request, resuming: rig.store, options: .quick { $0.allowsOtherOrigins = true })
            #expect(try other.stored() == rig.content)
            let last = try #require(other.server.requests.last)
            #expect(last.headers["Authorization"] == nil && last.headers["Cookie"] == nil)
            #expect(rig.server.requests[0].headers["Authorization"] == "Bearer t")
        } else {
            let error = await #expect(throws: NetworkError.self) {
                try await rig.client.upload(request, resuming: rig.store)
            }
            #expect(error?.kind == .invalidRequest && other.server.requests.count == 1)
        }
    }

    // MARK: Content

    @Test(arguments: LoopbackUpload.Dialect.all, [true, false])
    func `a file that was changed is not continued`(dialect: LoopbackUpload.Dialect, isLonger: Bool) async throws {
        let rig = try await interrupted(dialect)
        let new = isLonger ? rig.content + Data([1]) : Data(rig.content.map { $0 ^ 0xFF })
        try new.write(to: rig.file)
        let count = rig.server.requests.count
        let error = await failure(rig, dialect.options)
        #expect(error?.underlying as? UploadFailure == .contentChanged && error?.kind == .invalidRequest)
        #expect(rig.server.requests.count == count && !rig.hasState)
        try await rig.client.upload(rig.request, resuming: rig.store, options: dialect.options)
        #expect(try rig.uploads.all.last.map { try Data(contentsOf: $0.file) } == new)
    }

    @Test(arguments: Wire.all, LoopbackUpload.Dialect.all)
    func `a file that is written while it is sent completes no upload`(
        wire: Wire,
        dialect: LoopbackUpload.Dialect
    ) async throws {
        let rig = try UploadRig(dialect, wire, length: 16 << 20)
        let call = Task { [client = rig.client, request = rig.request, store = rig.store] in
            try await client.upload(request, resuming: store, options: dialect.options)
        }
        try await rig.uploads.received(atLeast: 1)
        let file = try FileHandle(forUpdating: rig.file)
        try file.seek(toOffset: 15 << 20)
        try file.write(contentsOf: Data("other".utf8))
        try file.close()
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.underlying as? UploadFailure == .contentChanged, "\(String(describing: error))")
        #expect(rig.uploads.all.allSatisfy { !$0.isComplete } && !rig.hasState)
    }

    @Test func `a file that becomes shorter while it is sent completes no upload`() async throws {
        let rig = try UploadRig(length: 16 << 20)
        let call = Task { [client = rig.client, request = rig.request, store = rig.store] in
            try await client.upload(request, resuming: store, options: .quick())
        }
        try await rig.uploads.received(atLeast: 1)
        try FileHandle(forUpdating: rig.file).truncate(atOffset: 1 << 10)
        let error = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(error?.underlying as? UploadFailure == .contentChanged)
        #expect(rig.uploads.all.allSatisfy { !$0.isComplete })
    }

    @Test func `a file that is replaced while it is sent is sent as it was`() async throws {
        let rig = try UploadRig(length: 8 << 20)
        let call = Task { [client = rig.client, request = rig.request, store = rig.store] in
            try await client.upload(request, resuming: store, options: .quick())
        }
        try await rig.uploads.received(atLeast: 1)
        try Data(count: 8 << 20).write(to: rig.file, options: .atomic)
        _ = try await call.value
        #expect(try rig.stored() == rig.content)
    }

    @Test func `the state of another request is refused, and stays`() async throws {
        let rig = try await interrupted()
        let count = rig.server.requests.count
        let error = await #expect(throws: NetworkError.self) {
            try await rig.client.upload(.post("/other").file(rig.file), resuming: rig.store)
        }
        #expect(error?.underlying as? UploadFailure == .otherRequest && rig.hasState)
        #expect(rig.server.requests.count == count)
        // A different signature in the query is the same request.
        try await rig.client.upload(
            .post("/files").query("signature", 2).file(rig.file), resuming: rig.store, options: .quick())
        #expect(try rig.stored() == rig.content)
    }

    @Test func `a body that cannot be read again is refused before any request`() async throws {
        let rig = try UploadRig()
        let stream = BodyStream { AsyncThrowingStream { $0.finish() } }
        for endpoint in [
            Endpoint.post("/files").body(.stream(stream)), .post("/files").multipart([.text("a", name: "b")]),
            .post("/files"), .post("/files").file(rig.folder),
            .post("/files").body(.file(rig.folder.appendingPathComponent("missing"))),
        ] {
            let error = await #expect(throws: NetworkError.self) {
                try await rig.client.upload(endpoint, resuming: rig.store)
            }
            #expect(error?.kind == .invalidRequest || error?.transportFailure == .requestBody)
        }
        #expect(rig.server.requests.isEmpty)
    }

    @Test func `a state that cannot be kept stops the upload before content is sent`() async throws {
        struct Full: Error {}
        let rig = try UploadRig()
        let store = UploadStateStore(load: { nil }, save: { _ in throw Full() })
        let error = await #expect(throws: NetworkError.self) {
            try await rig.client.upload(rig.request, resuming: store)
        }
        #expect(error?.underlying is Full && rig.server.requests.count == 1)
    }
}

extension ResumableUploadOptions {
    func with(_ change: (inout ResumableUploadOptions) -> Void) -> ResumableUploadOptions {
        var options = self
        change(&options)
        return options
    }
}
