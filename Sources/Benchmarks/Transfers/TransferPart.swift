import Foundation
import NetworkEngine
import NetworkEngineCurl

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Measures the memory and time of one large transfer in a separate process.
struct TransferPart {
    enum Kind: String, CaseIterable {
        case down, up, multipart, parallel
        case bareDown = "bare down"
        case bareUp = "bare up"
        case bareParallel = "bare parallel"

        /// The same transfer without the framework.
        var baseline: Kind {
            switch self {
            case .down, .bareDown: .bareDown
            case .up, .multipart, .bareUp: .bareUp
            case .parallel, .bareParallel: .bareParallel
            }
        }
    }

    struct Figures {
        /// The memory of an idle client in MiB, and the peak after that.
        let before: Double
        let peak: Double
        let seconds: Double
    }

    private static let mark = "transfer-part"
    private let kind: Kind
    private let usesCurl: Bool
    private let url: URL
    private let file: URL

    /// The part to run in this process; `nil` if it was started manually.
    init?() {
        let words = CommandLine.arguments
        guard words.count == 6, words[1] == Self.mark, let kind = Kind(rawValue: words[2]),
            let url = URL(string: words[4])
        else { return nil }
        (self.kind, usesCurl, self.url, file) = (kind, words[3] == "curl", url, URL(fileURLWithPath: words[5]))
    }

    func run() async throws {
        let transport: any Transport = usesCurl ? CurlTransport() : URLSessionTransport(configuration: .ephemeral)
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        let provider = NetworkProvider<TransferTarget>(configuration: configuration)
        _ = try await provider.data(TransferTarget(baseURL: url, path: "/small", task: .requestPlain))
        let before = try OwnProcess.peakMemory()
        let start = ContinuousClock.now
        try await transfer(provider, transport)
        print(before, try OwnProcess.peakMemory(), (ContinuousClock.now - start).seconds)
    }

    private func transfer(_ provider: NetworkProvider<TransferTarget>, _ transport: any Transport) async throws {
        switch kind {
        case .down: try await download(provider, "/large")
        case .parallel:
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { try await download(provider, "/medium") } }
                try await group.waitForAll()
            }
        case .up: try await upload(provider, .uploadFile(file))
        case .multipart:
            let parts = [
                MultipartFormData(provider: .data(Data("large".utf8)), name: "name"),
                MultipartFormData(provider: .file(file), name: "file"),
            ]
            try await upload(provider, .uploadMultipart(parts))
        case .bareDown: try await save("large", transport)
        case .bareParallel:
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { try await save("medium", transport) } }
                try await group.waitForAll()
            }
        case .bareUp:
            let request = HTTPRequest(method: .put, url: url.appendingPathComponent("inbox"), body: .file(file))
            _ = try await transport.send(request, context: TransportContext())
        }
    }

    /// A download with only the transport.
    private func save(_ path: String, _ transport: any Transport) async throws {
        let place = URL.freshTemporaryFile
        let request = HTTPRequest(url: url.appendingPathComponent(path))
        let file = try BodyFile.creating(place)
        let response = try await transport.send(request, context: TransportContext(streamsBody: true))
        guard case .stream(let stream) = response.body else { return }
        for try await piece in stream { try file.write(piece) }
        try FileManager.default.removeItem(at: place)
    }

    private func download(_ provider: NetworkProvider<TransferTarget>, _ path: String) async throws {
        let task = NetworkTask.downloadDestination(.temporary)
        let place = try await provider.download(TransferTarget(baseURL: url, path: path, task: task))
        try FileManager.default.removeItem(at: place)
    }

    private func upload(_ provider: NetworkProvider<TransferTarget>, _ task: NetworkTask) async throws {
        let target = TransferTarget(baseURL: url, path: "/inbox", method: .put, task: task)
        _ = try await provider.upload(target, as: EmptyBody.self)
    }

    /// Runs a transfer in a separate process.
    static func measure(_ kind: Kind, usesCurl: Bool, at url: URL, file: URL) async throws -> Figures {
        let words = [mark, kind.rawValue, usesCurl ? "curl" : "session", url.absoluteString, file.path]
        let numbers = try await OwnProcess.numbers(words, count: 3)
        return Figures(before: numbers[0], peak: numbers[1], seconds: numbers[2])
    }
}

/// A target for any transfer.
struct TransferTarget: TargetType {
    var baseURL: URL
    var path: String
    var method = HTTPMethod.get
    var task: NetworkTask
}
