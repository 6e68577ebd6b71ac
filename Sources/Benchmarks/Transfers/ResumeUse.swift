import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineTesting

/// A download that repeatedly loses its connection at random positions.
enum ResumeUse {
    private struct Retry: RequestInterceptor {
        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision { .retry }
    }

    static func run() async throws {
        let block = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) })
        let size = 100 << 20
        var digest = SHA256()
        for _ in 0..<100 { block.withUnsafeBytes { digest.update($0) } }
        var table = Table(
            "100 MiB, the connection lost at 50 random bytes (limit: 1.1 times the size)",
            columns: ["transport", "requests", "sent by the server, of the size", "SHA-256"]
        )
        for usesCurl in [false, true] {
            let sent = Locked(0)
            let server = try server(block, size, sent)
            defer { server.stop() }
            var configuration = NetworkConfiguration()
            configuration.attemptLimit = 60
            if usesCurl { configuration.transport = CurlTransport() }
            let provider = NetworkProvider<TransferTarget>(interceptor: Retry(), configuration: configuration)
            let destination = DownloadDestination.temporary.verifying(.sha256(digest.hexadecimal))
            let target = TransferTarget(baseURL: server.url, path: "/", task: .downloadDestination(destination))
            let file = try await provider.download(target)
            try FileManager.default.removeItem(at: file)
            let ratio = Double(sent.withLock { $0 }) / Double(size)
            table.add(
                usesCurl ? "libcurl" : "URLSession", "\(server.requests.count)", ratio.rounded(to: 3), "as it must be")
        }
        table.print()
    }

    /// Interrupts its first fifty responses.
    private static func server(_ block: Data, _ size: Int, _ sent: Locked<Int>) throws -> LoopbackServer {
        let count = Locked(0)
        return try LoopbackServer { request in
            let start = request.headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
            let number = count.withLock { count in
                count += 1
                return count
            }
            let rest = size - start
            // Rotated so that the pattern continues at the client's position.
            let turn = start % block.count
            let body = LoopbackBody.repeating(block[turn...] + block[..<turn], count: rest)
            var response = LoopbackResponse(status: start > 0 ? 206 : 200, headers: ["ETag": "\"v1\""], body: body)
            if start > 0 { response.headers["Content-Range"] = "bytes \(start)-\(size - 1)/\(size)" }
            // A fiftieth of the file on average, so that all fifty interruptions occur.
            let stop = number <= 50 ? min(rest - 1, Int.random(in: 1...(size / 26))) : rest
            sent.withLock { $0 += stop }
            return number <= 50 ? response.fault(.close, at: .responseBody(afterBytes: stop)) : response
        }
    }
}
