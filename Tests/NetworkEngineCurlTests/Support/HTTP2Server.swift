import Foundation
import NetworkEngine
import Testing

/// The program `h2-server.py` beside this file: HTTP/2 and HTTP/1.1 over TLS, with faults.
final class HTTP2Server {
    let url: URL
    private let process = Process()
    private let input = Pipe()

    /// - Parameter protocols: those of the first connections; the last one stays.
    init(_ certificates: Certificates, protocols: [String] = ["h2"]) throws {
        let output = Pipe()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("h2-server.py")
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments =
            [script.path, certificates.certificate(.good).path, certificates.key(.good).path] + protocols
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw NotListening() }
            text += String(decoding: data, as: UTF8.self)
        }
        url = try #require(URL(string: "https://localhost:\(text.prefix { $0.isNumber })/"))
    }

    /// Does not wait for its end: Foundation hears of that through a socket which other children may have inherited.
    deinit { kill(process.processIdentifier, SIGKILL) }

    /// Lets the server answer `/hold`.
    func release() throws { try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8)) }

    func request(_ path: String, mark: String = "", method: HTTPMethod = .get) -> HTTPRequest {
        HTTPRequest(method: method, url: url.appendingPathComponent(path), headers: ["X-Mark": mark])
    }

    /// Whether `.ci/run` has made the environment.
    static let isInstalled = FileManager.default.isExecutableFile(atPath: python)

    private static var python: String {
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        return package.appendingPathComponent(".build/h2-server/bin/python3").path
    }

    private struct NotListening: Error {}
}

extension Trait where Self == ConditionTrait {
    /// Leaves a suite out where there is no HTTP/2 server with faults.
    static var needsHTTP2Server: Self {
        .enabled(
            if: HTTP2Server.isInstalled && Certificates.shared != nil,
            "there is no h2 for Python in .build/h2-server, or no openssl to make its certificate with"
        )
    }
}
