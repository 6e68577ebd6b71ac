import Fixtures
import Foundation
import NetworkEngineTesting

/// A server in a separate process, so that its cost is not counted: nginx if installed, otherwise the loopback server.
final class LoadServer {
    let name: String
    let url: URL
    /// The file with the server's CA certificate.
    let authorities: URL?
    /// The URLs of all origins.
    let origins: [URL]
    private let process: Process
    private let folder: URL

    /// The kind of connection.
    enum Wire: String, CaseIterable {
        case plain = "TCP"
        case tls = "TLS 1.3"
        case http2 = "TLS 1.3 with HTTP/2"
    }

    /// Starts the server, and waits until it responds.
    ///
    /// - Parameters:
    ///   - count: the number of origins. Only nginx supports more than one, and a compressed `list`.
    ///   - wire: TLS requires nginx.
    init(origins count: Int = 1, over wire: Wire = .plain) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "NetworkEngine-load-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Fixtures.data("UserListResponse").write(to: folder.appendingPathComponent("users"))
        let ports = try (0...count).map { _ in try LoopbackServer() }.map(\.port)
        let port = ports[0]
        process = Process()
        if let nginx = Self.nginx {
            try Self.compress(Self.list(), in: folder)
            name = "nginx"
            let file = folder.appendingPathComponent("nginx.conf")
            if wire != .plain { try Self.makeCertificate(in: folder) }
            try Data(Self.configuration(folder.path, ports, wire).utf8).write(to: file)
            process.executableURL = nginx
            process.arguments = ["-c", file.path, "-p", folder.path]
        } else {
            guard wire == .plain else { throw LoadFailure() }
            name = "the loopback server"
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = ["serve", String(port)]
        }
        origins = ports.prefix(count).compactMap { URL(string: "http://127.0.0.1:\($0)") }
        let secure = wire == .plain ? nil : URL(string: "https://127.0.0.1:\(ports[count])")
        guard let plain = origins.first else { throw LoadFailure() }
        url = secure ?? plain
        authorities = secure.map { [folder] _ in folder.appendingPathComponent("certificate.pem") }
        try process.run()
        for _ in 0..<200 {
            if (try? Data(contentsOf: plain.appendingPathComponent("users"))) != nil { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        stop()
        throw LoadFailure()
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Serves until the process is terminated. `init` starts this process if nginx is not installed.
    static func serve(port: String) async throws {
        var configuration = LoopbackConfiguration()
        configuration.port = UInt16(port) ?? 0
        configuration.requestRecordingLimit = 0
        let list = try Fixtures.data("UserListResponse")
        let server = try LoopbackServer(configuration) { _ in .data(list, type: "application/json") }
        try await server.wait { _ in false }
    }

    private static var nginx: URL? {
        ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"].first(
            where: FileManager.default.isExecutableFile
        )
        .map(URL.init(fileURLWithPath:))
    }

    /// A document of about 300 KB.
    private static func list() throws -> Data {
        let users = try Fixtures.data("UserListResponse")
        return Data((0..<200).map { _ in users }.joined(separator: Data(",".utf8)))
    }

    private static func compress(_ list: Data, in folder: URL) throws {
        let file = folder.appendingPathComponent("list")
        try list.write(to: file)
        let program = try Process.run(URL(fileURLWithPath: "/usr/bin/env"), arguments: ["gzip", "-n", file.path])
        program.waitUntilExit()
    }

    private static func makeCertificate(in folder: URL) throws {
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=benchmarks", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", folder.appendingPathComponent("key.pem").path,
            "-out", folder.appendingPathComponent("certificate.pem").path,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
    }

    /// - Parameter ports: the ports of the origins, followed by one for TLS.
    private static func configuration(_ folder: String, _ ports: [UInt16], _ wire: Wire) -> String {
        let options = [Wire.plain: nil, .tls: "ssl", .http2: "ssl http2"][wire] ?? nil
        let secure = options.flatMap { options in
            ports.last.map { "listen 127.0.0.1:\($0) backlog=4096 \(options); ssl_protocols TLSv1.3;" }
        }
        let certificate = "ssl_certificate \(folder)/certificate.pem; ssl_certificate_key \(folder)/key.pem;"
        let listening = ports.dropLast().map { "listen 127.0.0.1:\($0) backlog=4096;" }.joined(separator: " ")
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: "\n    ")
        return """
            daemon off;
            pid \(folder)/pid;
            error_log \(folder)/errors;
            worker_processes 1;
            events { worker_connections 4096; }
            http {
                access_log off;
                keepalive_requests 1000000000;
                keepalive_timeout 600;
                open_file_cache max=10;
                default_type application/json;
                \(scratch)
                server {
                    \(listening)
                    \(secure.map { "\($0) \(certificate)" } ?? "")
                    root \(folder);
                    location /list { gzip_static always; }
                }
            }
            """
    }
}
