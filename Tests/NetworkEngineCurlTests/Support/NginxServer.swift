import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// nginx, an independent server: over TLS with and without HTTP/2, without TLS, and on a Unix domain socket.
///
/// Every response contains `connection protocol scheme host`, as formatted by nginx, and the request's `X-Mark`.
/// Requests to `/upload` are forwarded; `/moved` is a redirect.
final class NginxServer {
    let url: URL
    /// Without HTTP/2.
    let serialURL: URL
    /// Without TLS.
    let plainURL: URL
    let socket: String
    /// The server behind `/upload`. It answers `/upload?large` with four mebibytes, and other requests with the number
    /// of received bytes and their mark.
    let inbox: LoopbackServer
    private let folder: TemporaryFolder
    private let process: ChildProcess

    /// - Parameter requestsPerConnection: The number of requests after which the server replaces a connection; `nil`
    ///   for nginx's default.
    init(_ certificates: Certificates, requestsPerConnection: Int? = 100_000) async throws {
        let folder = try TemporaryFolder()
        socket = folder.url.appendingPathComponent("socket").path
        let large = Data(repeating: UInt8(ascii: "x"), count: 4 << 20)
        inbox = try LoopbackServer { request in
            if request.query == "large" { return .data(large) }
            return request.headers["X-Mark"].map { .text("\(request.body.count) \($0)") } ?? .text("ok")
        }
        let rotation = requestsPerConnection.map { "keepalive_requests \($0);" } ?? ""
        let (place, inbox, socket) = (folder.url, inbox, socket)
        let (ports, process) = try await Self.start(in: place) { ports in
            Self.configuration(place.path, ports, certificates, rotation, inbox: inbox, socket: socket)
        }
        url = try #require(URL(string: "https://localhost:\(ports[0])/"))
        serialURL = try #require(URL(string: "https://localhost:\(ports[1])/"))
        plainURL = try #require(URL(string: "http://127.0.0.1:\(ports[2])/"))
        self.process = process
        self.folder = folder
    }

    /// Starts nginx with three free ports. If another process takes one of them first, it's started again with other
    /// ports.
    ///
    /// - Parameter taken: the ports to try first.
    static func start(
        in folder: URL,
        with taken: [UInt16]? = nil,
        _ configuration: ([UInt16]) -> String
    ) async throws -> ([UInt16], ChildProcess) {
        var given = taken
        for _ in 0..<5 {
            let ports = try given.take() ?? freePorts()
            let file = folder.appendingPathComponent("conf")
            try Data(configuration(ports).utf8).write(to: file)
            let process = try ChildProcess.server(executable ?? "", ["-c", file.path, "-p", folder.path])
            // nginx creates the file with its process ID once it's listening.
            let listening = folder.appendingPathComponent("pid").path
            while process.isRunning {
                if FileManager.default.fileExists(atPath: listening) { return (ports, process) }
                await Task.yield()
            }
            let errors = try? String(contentsOf: folder.appendingPathComponent("errors"), encoding: .utf8)
            // The next one writes its own. It can't use a socket that the previous one left behind.
            for name in ["errors", "socket"] {
                try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
            try #require(errors?.contains("bind()") == true, "nginx ended at once: \(errors ?? "")")
        }
        throw NoFreePorts()
    }

    private struct NoFreePorts: Error {}

    private static func freePorts() throws -> [UInt16] {
        // All at the same time, so that each is a different port.
        let places = try (0..<3).map { _ in try LoopbackServer() }
        defer { places.forEach { $0.stop() } }
        return places.map(\.port)
    }

    /// How often each `X-Mark` was processed.
    func processed() throws -> [String: Int] {
        let marks = try String(contentsOf: folder.url.appendingPathComponent("marks"), encoding: .utf8)
        return marks.split(separator: "\n").reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }

    static var executable: String? {
        ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
            .first(where: FileManager.default.isExecutableFile)
    }

    private static func configuration(
        _ folder: String,
        _ ports: [UInt16],
        _ certificates: Certificates,
        _ rotation: String,
        inbox: LoopbackServer,
        socket: String
    ) -> String {
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: "\n    ")
        // Generous timeouts, so that a busy machine doesn't end anything.
        let patience = [
            "client_header_timeout", "client_body_timeout", "send_timeout", "keepalive_timeout", "proxy_read_timeout",
            "proxy_send_timeout",
        ].map { "\($0) 1h;" }.joined(separator: "\n    ")
        let answer = #"return 200 "$connection $server_protocol $scheme $http_host";"#
        let places = """
            add_header X-Mark $http_x_mark always;
            ssl_certificate \(certificates.certificate(.good).path);
            ssl_certificate_key \(certificates.key(.good).path);
            client_max_body_size 0;
            \(rotation)
            location /upload { proxy_pass http://127.0.0.1:\(inbox.port); }
            location /moved { return 302 /elsewhere; }
            location / { \(answer) }
            """
        return """
            daemon off;
            master_process off;
            pid \(folder)/pid;
            error_log \(folder)/errors;
            events { worker_connections 4096; }
            http {
                log_format marks $http_x_mark;
                access_log \(folder)/marks marks;
                \(scratch)
                \(patience)
                server { listen 127.0.0.1:\(ports[0]) ssl http2; \(places) }
                server { listen 127.0.0.1:\(ports[1]) ssl backlog=2048; \(places) }
                server { listen 127.0.0.1:\(ports[2]) backlog=2048; location / { \(answer) } }
                server { listen unix:\(socket); location / { \(answer) } }
            }
            """
    }
}

extension Trait where Self == ConditionTrait {
    /// Disables a suite where nginx, or openssl for its certificate, is not installed.
    static var needsNginx: Self {
        .enabled(
            if: NginxServer.executable != nil && Certificates.shared != nil,
            "there is no nginx here, or no openssl to make its certificate with"
        )
    }
}
