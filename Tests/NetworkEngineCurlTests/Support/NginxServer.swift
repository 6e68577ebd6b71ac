import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

/// nginx: a server that was not written here, over TLS with HTTP/2, over TLS without it, and on a Unix-domain socket.
///
/// Every answer says `connection protocol scheme host`, in the words of nginx, and repeats the request's `X-Mark`. What is
/// sent to `/upload` is passed on; `/moved` is a redirect.
final class NginxServer {
    let url: URL
    /// Without HTTP/2.
    let serialURL: URL
    let socket: String
    /// The server behind `/upload`. It answers with four mebibytes to `/upload?large`, and else with the number of bytes that
    /// it got and their mark.
    let inbox: LoopbackServer
    private let folder: URL
    private let process = Process()

    init(_ certificates: Certificates) async throws {
        // A path of a socket has room for a hundred bytes.
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ne-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.appendingPathComponent("socket").path
        let large = Data(repeating: UInt8(ascii: "x"), count: 4 << 20)
        inbox = try LoopbackServer { request in
            if request.query == "large" { return .data(large) }
            return request.headers["X-Mark"].map { .text("\(request.body.count) \($0)") } ?? .text("ok")
        }
        let ports = [try LoopbackServer().port, try LoopbackServer().port]
        url = try #require(URL(string: "https://localhost:\(ports[0])/"))
        serialURL = try #require(URL(string: "https://localhost:\(ports[1])/"))
        let file = folder.appendingPathComponent("conf")
        try Data(configuration(ports, certificates).utf8).write(to: file)
        process.executableURL = Self.executable
        process.arguments = ["-c", file.path, "-p", folder.path]
        // What it inherited would be held open for whoever reads it, until nginx is gone.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It makes its file of the process's number when it listens.
        while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("pid").path) {
            try #require(process.isRunning, "nginx ends as soon as it begins")
            await Task.yield()
        }
    }

    /// Does not wait for its end: Foundation hears of that through a socket which other children may have inherited.
    ///
    /// It is not asked but ended: the threads that tests run on block the signals that ask, and so does what they start.
    deinit {
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    static var executable: URL? {
        ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
            .first(where: FileManager.default.isExecutableFile).map(URL.init(fileURLWithPath:))
    }

    private func configuration(_ ports: [UInt16], _ certificates: Certificates) -> String {
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: "\n    ")
        let answer = #"return 200 "$connection $server_protocol $scheme $http_host";"#
        let places = """
            add_header X-Mark $http_x_mark always;
            ssl_certificate \(certificates.certificate(.good).path);
            ssl_certificate_key \(certificates.key(.good).path);
            client_max_body_size 0;
            keepalive_requests 100000;
            location /upload { proxy_pass http://127.0.0.1:\(inbox.port); }
            location /moved { return 302 /elsewhere; }
            location / { \(answer) }
            """
        return """
            daemon off;
            master_process off;
            pid \(folder.path)/pid;
            error_log \(folder.path)/errors;
            events { worker_connections 1024; }
            http {
                access_log off;
                \(scratch)
                server { listen 127.0.0.1:\(ports[0]) ssl http2; \(places) }
                server { listen 127.0.0.1:\(ports[1]) ssl; \(places) }
                server { listen unix:\(socket); location / { \(answer) } }
            }
            """
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves a suite out where there is no nginx, or no openssl to make certificates for it.
    static var needsNginx: Self {
        .enabled(
            if: NginxServer.executable != nil && Certificates.shared != nil,
            "there is no nginx here, or no openssl to make its certificate with"
        )
    }
}
