import Fixtures
import Foundation
import NetworkEngineTesting

/// A server in a separate process, so that its cost is not counted: nginx if installed, otherwise the loopback server.
final class LoadServer {
    let name: String
    let url: URL
    private let process: Process
    private let folder: URL

    /// Starts the server, and waits until it answers.
    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "NetworkEngine-load-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Fixtures.data("UserListResponse").write(to: folder.appendingPathComponent("users"))
        let port = try LoopbackServer().port
        process = Process()
        if let nginx = Self.nginx {
            name = "nginx"
            let file = folder.appendingPathComponent("nginx.conf")
            try Data(Self.configuration(folder.path, port).utf8).write(to: file)
            process.executableURL = nginx
            process.arguments = ["-c", file.path, "-p", folder.path]
        } else {
            name = "the loopback server"
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = ["serve", String(port)]
        }
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw LoadFailure() }
        self.url = url
        try process.run()
        for _ in 0..<200 {
            if (try? Data(contentsOf: url.appendingPathComponent("users"))) != nil { return }
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

    /// Serves until the process is terminated. `init` starts this process where nginx is not installed.
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

    private static func configuration(_ folder: String, _ port: UInt16) -> String {
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
                server { listen 127.0.0.1:\(port) backlog=4096; root \(folder); }
            }
            """
    }
}
