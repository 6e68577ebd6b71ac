import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

/// Certificates for servers and clients with their keys, created with `openssl`.
struct Certificates: Sendable {
    enum Name: String, CaseIterable { case good, renewed, expired, young, foreign, client, selfSigned, stranger }

    /// Created once; `nil` where `openssl` is not installed.
    static let shared: Certificates? = try? Certificates()

    let folder: URL

    func certificate(_ name: Name) -> URL { folder.appendingPathComponent("\(name).pem") }
    func key(_ name: Name) -> URL { folder.appendingPathComponent("\(name).key") }
    var authority: URL { folder.appendingPathComponent("authority.pem") }

    /// The pin for a certificate's key.
    func publicKeyPin(_ name: Name) throws -> TLSPolicy.Pin {
        let commands =
            "openssl x509 -in \(name).pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64"
        return .publicKey("sha256//" + (try run(commands).trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// The pin for an entire certificate.
    func certificatePin(_ name: Name) throws -> TLSPolicy.Pin {
        let text = try run("openssl x509 -in \(name).pem -noout -fingerprint -sha256")
        return .certificate(
            sha256: text.components(separatedBy: "=").last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "")
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkEngineTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { Certificates.shared.map { try? FileManager.default.removeItem(at: $0.folder) } }
        try Data(Self.script.utf8).write(to: folder.appendingPathComponent("make.sh"))
        _ = try run("sh make.sh")
    }

    private func run(_ commands: String) throws -> String {
        let process = try ChildProcess("/bin/sh", ["-c", "cd '\(folder.path)' && \(commands)"], discardsErrors: true)
        let output = process.read()
        guard process.wait() == 0 else { throw Failed() }
        return output
    }

    private struct Failed: Error {}

    private static let script = """
        set -e
        cat > conf <<END
        [ca]
        default_ca = here
        [here]
        dir = .
        new_certs_dir = .
        database = index
        serial = serial
        default_md = sha256
        policy = any
        unique_subject = no
        copy_extensions = copy
        [any]
        commonName = supplied
        [req]
        distinguished_name = name
        [name]
        END
        touch index
        echo 1000 > serial
        new="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config conf"
        openssl req -x509 $new -keyout authority.key -out authority.pem -subj /CN=authority -days 2 \
            -addext basicConstraints=critical,CA:TRUE
        openssl req -x509 $new -keyout selfSigned.key -out selfSigned.pem -subj /CN=localhost -days 2 \
            -addext subjectAltName=DNS:localhost
        openssl req -x509 $new -keyout strange.key -out strange.pem -subj /CN=strange -days 2 \
            -addext basicConstraints=critical,CA:TRUE
        make() {
            openssl req $new -keyout $1.key -out $1.csr -subj /CN=$2 -addext subjectAltName=DNS:$2
            openssl ca -config conf -batch -notext -in $1.csr -out $1.pem -cert $5.pem -keyfile $5.key \
                -startdate $3 -enddate $4
        }
        make good localhost 20200101000000Z 20490101000000Z authority
        make renewed localhost 20200101000000Z 20490101000000Z authority
        make client client 20200101000000Z 20490101000000Z authority
        make expired localhost 20200101000000Z 20210101000000Z authority
        make young localhost 20480101000000Z 20490101000000Z authority
        make foreign other.test 20200101000000Z 20490101000000Z authority
        make stranger localhost 20200101000000Z 20490101000000Z strange
        """
}

/// `openssl s_server`, which answers every GET with a page.
final class TLSServer {
    let url: URL
    private let process: ChildProcess

    init(_ name: Certificates.Name, _ certificates: Certificates, arguments: [String] = []) throws {
        let files = ["-cert", certificates.certificate(name).path, "-key", certificates.key(name).path]
        process = try ChildProcess.server(
            "openssl", ["s_server", "-accept", "127.0.0.1:0", "-www"] + files + arguments)
        let text = process.read { $0.contains("ACCEPT 127.0.0.1:") && $0.hasSuffix("\n") }
        let parts = text.components(separatedBy: "ACCEPT 127.0.0.1:")
        guard parts.count > 1 else { throw ChildProcess.NotListening(output: text) }
        url = try #require(URL(string: "https://localhost:\(parts[parts.count - 1].prefix { $0.isNumber })/"))
    }
}
