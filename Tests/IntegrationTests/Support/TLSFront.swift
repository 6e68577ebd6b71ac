import Dispatch
import Foundation
import TestSupport

/// An HTTPS server with a loopback port for each certificate, in a separate process.
///
/// The program beside this file creates an authority and certificates. It ends with this object, or with this process.
final class TLSFront: Sendable {
    typealias Port = TLSPorts.Port

    struct CouldNotStart: Error { let reason: String }

    /// The required programs that are not installed.
    static let missingPrograms = ["python3", "openssl"].filter { Program.path(of: $0) == nil }
    static var isPossible: Bool { missingPrograms.isEmpty }

    let ports: TLSPorts
    private let temporary: TemporaryFolder
    private let process: ChildProcess

    /// Starts a server with these ports, and waits until they listen.
    static func start(_ ports: Set<Port>) async throws -> TLSFront {
        try await withCheckedThrowingContinuation { started in
            DispatchQueue.global().async { started.resume(with: Result { try TLSFront(ports) }) }
        }
    }

    private init(_ wanted: Set<Port>) throws {
        temporary = try TemporaryFolder()
        let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("tls-front.py")
        let names = wanted.map(\.rawValue).sorted()
        process = try ChildProcess(Program.path(of: "python3") ?? "", [program.path, temporary.url.path] + names)
        let text = process.read { $0.hasSuffix("ready\n") }
        ports = TLSPorts(text)
        guard text.hasSuffix("ready\n") else { throw CouldNotStart(reason: text) }
    }

    private var folder: URL { temporary.url }

    /// The certificate of the server's authority.
    var authority: URL { folder.appendingPathComponent("authority.pem") }
    /// The certificate of a port.
    func certificate(_ port: Port) -> URL { folder.appendingPathComponent("\(port.rawValue).pem") }
    /// A client certificate for `clientRequired`, its key, and both in one file with the password `secret`.
    var client: (certificate: URL, key: URL, pkcs12: URL) {
        (
            folder.appendingPathComponent("client.pem"), folder.appendingPathComponent("client.key"),
            folder.appendingPathComponent("client.p12")
        )
    }
}
