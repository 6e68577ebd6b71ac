import Foundation
import NetworkEngineUploads
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// The transports that uploads run over.
enum Wire {
    case urlSession
    case curl

    /// The transports that the tests run over.
    static let all: [Wire] = TestTransports.chosen(urlSession: .urlSession, curl: curlIfAvailable)
    /// The main transport.
    static let main = curlIfAvailable ?? .urlSession
    /// One transport of each kind.
    static let every = [urlSession] + (curlIfAvailable.map { [$0] } ?? [])
    private static let curlIfAvailable: Wire? = CurlTransport.isAvailable ? .curl : nil

    var transport: any Transport {
        switch self {
        case .urlSession: URLSessionTransport()
        case .curl: CurlTransport()
        }
    }
}

/// A server that accepts uploads, a client and a file to upload.
final class UploadRig: Sendable {
    let folder: URL
    let uploads: LoopbackUploads
    let server: LoopbackServer
    let client: HTTPClient
    let file: URL
    let content: Data

    var state: URL { folder.appendingPathComponent("state") }
    var store: UploadStateStore { .file(at: state) }
    var request: Endpoint { .post("/files").file(file) }
    /// Whether a state is stored.
    var hasState: Bool { FileManager.default.fileExists(atPath: state.path) }

    init(
        _ dialect: LoopbackUpload.Dialect = .tus,
        _ wire: Wire = .main,
        length: Int = 300_000,
        with interceptors: [any RequestInterceptor] = [],
        early: (@Sendable (LoopbackUploads, LoopbackRequest) -> LoopbackResponse?)? = nil,
        finish: (@Sendable (LoopbackUpload) -> LoopbackResponse)? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkEngineTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let uploads = LoopbackUploads(dialect, folder: folder, finish: finish)
        self.uploads = uploads
        server = try LoopbackServer { request in
            early?(uploads, request) ?? uploads.response(to: request)
        } handler: { _ in
            .status(404)
        }
        var configuration = NetworkConfiguration()
        configuration.transport = wire.transport
        client = HTTPClient(baseURL: server.url, interceptors: interceptors, configuration: configuration)
        content = .sample(length)
        file = folder.appendingPathComponent("film.mov")
        try content.write(to: file)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The bytes of the first upload.
    func stored() throws -> Data? { try uploads.all.first.map { try Data(contentsOf: $0.file) } }
}

extension ResumableUploadOptions {
    /// Options without pauses.
    static func quick(_ change: (inout ResumableUploadOptions) -> Void = { _ in }) -> ResumableUploadOptions {
        var options = ResumableUploadOptions()
        options.backoff = .constant(.zero)
        change(&options)
        return options
    }
}

extension LoopbackUpload.Dialect {
    static let all: [LoopbackUpload.Dialect] = [.tus, .draft(version: 3), .draft(version: 6)]

    /// The options for a client of this protocol.
    var options: ResumableUploadOptions {
        .quick { if self == .draft(version: 3) { $0.uploadProtocol = .draft(version: 3) } }
    }
}

struct Stored: Decodable, Equatable { let length: Int }

extension UploadStateStore {
    /// An in-memory store, and the state in it.
    static func inMemory() -> (store: UploadStateStore, state: Locked<UploadState?>) {
        let state = Locked<UploadState?>(nil)
        return (UploadStateStore(load: { state.withLock { $0 } }, save: { new in state.withLock { $0 = new } }), state)
    }
}
