import Foundation
import NetworkEngine
import Testing

/// `openssl s_server`, which answers every GET with a page.
final class TLSServer {
    let url: URL
    private let process = Process()

    init(_ name: Certificates.Name, _ certificates: Certificates, arguments: [String] = []) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", certificates.certificate(name).path,
                "-key", certificates.key(name).path,
            ] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.contains("ACCEPT 127.0.0.1:") || !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw NotListening() }
            text += String(decoding: data, as: UTF8.self)
        }
        let port = try #require(text.components(separatedBy: "ACCEPT 127.0.0.1:").last?.prefix { $0.isNumber })
        url = try #require(URL(string: "https://localhost:\(port)/"))
    }

    /// Does not wait for its end: Foundation hears of that through a socket which other children may have inherited.
    deinit { process.terminate() }

    private struct NotListening: Error {}
}
