import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A single cassette's file, and clients that record and play it.
struct Studio: ~Copyable {
    private let folder: TemporaryFolder
    let file: URL
    private static let base = URL(string: "https://api.test") ?? URL(fileURLWithPath: "/")

    init() throws {
        folder = try TemporaryFolder([:])
        file = folder.url.appendingPathComponent("sub/folder/tape.har")
    }

    /// The file's content.
    var text: String { get throws { String(decoding: try Data(contentsOf: file), as: UTF8.self) } }

    /// Writes the file as another program would.
    func write(_ text: String) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func cassette(
        _ mode: CassetteMode = .once,
        _ change: (inout CassetteOptions) -> Void = { _ in }
    ) throws(CassetteError) -> Cassette {
        var options = CassetteOptions()
        change(&options)
        return try Cassette(file: file, mode: mode, options: options)
    }

    /// Returns a client over a cassette and a mock.
    static func client(_ cassette: Cassette, _ live: any Transport = MockTransport()) -> HTTPClient {
        var configuration = NetworkConfiguration()
        configuration.transport = cassette.transport(over: live)
        return HTTPClient(baseURL: base, configuration: configuration)
    }

    /// Returns a response's text, or the error.
    static func hear(_ client: HTTPClient, _ endpoint: Endpoint = .get("/")) async -> Result<String, NetworkError> {
        do throws(NetworkError) {
            return .success(try await client.request(endpoint, decoding: .string))
        } catch {
            return .failure(error)
        }
    }
}

extension Result {
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
