import Dispatch
import Foundation

/// HTTPS on ports of the loopback interface, each with another certificate, served by a process of its own.
///
/// The program beside this file makes an authority and certificates on the spot. It ends when this is let go, and when
/// this process ends in whatever way.
final class TLSFront: Sendable {
    typealias Port = TLSPorts.Port

    struct CouldNotStart: Error { let reason: String }

    /// The programs that are needed and not there; the front cannot be used without them.
    static let missingPrograms = ["python3", "openssl"].filter { Program.path(of: $0) == nil }
    static var isPossible: Bool { missingPrograms.isEmpty }

    let ports: TLSPorts
    private let folder: URL
    private let process: ChildProcess

    /// Starts a front with these ports, and waits until they answer.
    static func start(_ ports: Set<Port>) async throws -> TLSFront {
        try await withCheckedThrowingContinuation { started in
            DispatchQueue.global().async { started.resume(with: Result { try TLSFront(ports) }) }
        }
    }

    private init(_ wanted: Set<Port>) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("TLSFront-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        self.folder = folder
        let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("tls-front.py")
        let names = wanted.map(\.rawValue).sorted()
        process = try ChildProcess(Program.path(of: "python3") ?? "", [program.path, folder.path] + names)
        let text = process.read { $0.hasSuffix("ready\n") }
        ports = TLSPorts(text)
        guard text.hasSuffix("ready\n") else { throw CouldNotStart(reason: text) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The certificate of the front's authority.
    var authority: URL { folder.appendingPathComponent("authority.pem") }
    /// The certificate of a port.
    func certificate(_ port: Port) -> URL { folder.appendingPathComponent("\(port.rawValue).pem") }
    /// What a client may show to `clientRequired`: certificate, key, and both in one file with the password `secret`.
    var client: (certificate: URL, key: URL, pkcs12: URL) {
        (
            folder.appendingPathComponent("client.pem"), folder.appendingPathComponent("client.key"),
            folder.appendingPathComponent("client.p12")
        )
    }
}
