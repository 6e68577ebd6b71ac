import Dispatch
import Foundation
import TestSupport

/// An HTTPS server with a loopback port for each certificate, in a separate process.
///
/// The program next to this file creates a CA and certificates. It exits when this object or this process does.
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

    /// The CA certificate.
    var authority: URL { folder.appendingPathComponent("authority.pem") }
    /// A port's certificate.
    func certificate(_ port: Port) -> URL { folder.appendingPathComponent("\(port.rawValue).pem") }
    /// A client certificate for `clientRequired`, its key, and both in one file with the password `secret`.
    var client: (certificate: URL, key: URL, pkcs12: URL) {
        (
            folder.appendingPathComponent("client.pem"), folder.appendingPathComponent("client.key"),
            folder.appendingPathComponent("client.p12")
        )
    }
}

/// The ports of a `TLSFront`, which may run in the parent process.
struct TLSPorts: Sendable {
    /// A port's special behavior.
    enum Port: String, CaseIterable, Sendable {
        /// The certificate is for `localhost` and `127.0.0.1`, signed by the front's CA.
        case good
        case selfSigned, expired, notYetValid, wrongHost
        /// Requires a client certificate from the same CA.
        case clientRequired
        /// Supports TLS up to 1.2.
        case oldVersion
        /// Supports only TLS 1.1.
        case ancientVersion
        /// Answers a request with a record that cannot be decrypted.
        case brokenBeforeHead
        /// Sends a head and the beginning of a body, and then a record that cannot be decrypted.
        case brokenInBody
    }

    struct NotServed: Error { let port: Port }

    private let numbers: [Port: UInt16]

    /// Reads lines with a name and a number, and skips others.
    init(_ text: String) {
        var numbers: [Port: UInt16] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let port = Port(rawValue: String(words[0])) { numbers[port] = UInt16(words[1]) }
        }
        self.numbers = numbers
    }

    /// The lines that can be read back.
    var text: String { numbers.map { "\($0.key.rawValue) \($0.value)\n" }.joined() }

    /// A port's address.
    func url(_ port: Port, scheme: String = "https", host: String = "localhost") throws -> URL {
        guard let number = numbers[port], let url = URL(string: "\(scheme)://\(host):\(number)/") else {
            throw NotServed(port: port)
        }
        return url
    }
}
