import Foundation
import NetworkEngineTesting
import Testing

/// nginx: a server that was not written here, over TLS with HTTP/2, and on a Unix-domain socket. Every answer says
/// `connection protocol scheme host`, in the words of nginx; but for what is sent to `/upload`, which it passes on.
final class NginxServer {
    let url: URL
    let socket: String
    /// Who gets what is sent to `/upload`, and answers with four mebibytes to `/upload?large`.
    let inbox: LoopbackServer
    private let folder: URL
    private let process = Process()

    init(_ certificates: Certificates) async throws {
        // A path of a socket has room for a hundred bytes.
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ne-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socket = folder.appendingPathComponent("socket").path
        let large = Data(repeating: UInt8(ascii: "x"), count: 4 << 20)
        inbox = try LoopbackServer { $0.query == "large" ? .data(large) : .text("ok") }
        let port = try LoopbackServer().port
        url = try #require(URL(string: "https://localhost:\(port)/"))
        let file = folder.appendingPathComponent("conf")
        try Data(configuration(port, certificates).utf8).write(to: file)
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

    private func configuration(_ port: UInt16, _ certificates: Certificates) -> String {
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: "\n    ")
        let answer = #"return 200 "$connection $server_protocol $scheme $http_host";"#
        return """
            daemon off;
            master_process off;
            pid \(folder.path)/pid;
            error_log \(folder.path)/errors;
            events { worker_connections 256; }
            http {
                access_log off;
                \(scratch)
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(certificates.certificate(.good).path);
                    ssl_certificate_key \(certificates.key(.good).path);
                    client_max_body_size 0;
                    location /upload { proxy_pass http://127.0.0.1:\(inbox.port); }
                    location / { \(answer) }
                }
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
