import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Concurrent exchanges of every kind, over connections of both versions. Each request and response has a mark.
@Suite(.timeLimit(.minutes(10)), .needsCurl, .needsNginx) struct CurlMixStressTests {
    private enum Kind: CaseIterable, Sendable {
        case plain, upload, liveUpload, stream, partOfStream, redirect, cancelled
    }

    private let certificates: Certificates
    private let server: NginxServer

    init() async throws {
        certificates = try #require(Certificates.shared)
        server = try await NginxServer(certificates)
    }

    /// 1,500 exchanges; 50,000 in the long form.
    private static let count = TestLength.count(500, sanitized: 1_500, gate: 10_000, whole: 50_000)

    private static func liveBody(_ count: Int) -> RequestBody {
        let pieces = Locked(count)
        let stream = AsyncStream<Data> {
            await Task.yield()
            return pieces.withLock { left in
                left -= 1
                return left < 0 ? nil : Data(count: 1_000)
            }
        }
        return .stream(BodyStream(stream))
    }

    /// Sends a request.
    ///
    /// - Returns: What went wrong; `nil` for a success.
    private static func fault(
        of kind: Kind,
        _ mark: String,
        at base: URL,
        _ transport: CurlTransport,
        _ random: inout SeededGenerator
    ) async -> String? {
        var request = HTTPRequest(url: base, headers: ["X-Mark": mark])
        var context = TransportContext()
        var expected: String?
        var status = 200
        switch kind {
        case .plain, .cancelled: break
        case .upload:
            request = HTTPRequest(
                method: .post, url: base.appending(path: "upload"), headers: request.headers,
                body: .data(Data(count: 700)))
            expected = "700 \(mark)"
        case .liveUpload:
            let pieces = Int.random(in: 1...20, using: &random)
            request = HTTPRequest(
                method: .put, url: base.appending(path: "upload"), headers: request.headers, body: liveBody(pieces)
            )
            expected = "\(pieces * 1_000) \(mark)"
        case .stream:
            request.url = base.appending(path: "upload")
            expected = "0 \(mark)"
            context.streamsBody = true
        case .partOfStream:
            request.url = URL(string: base.absoluteString + "upload?large") ?? base
            context.streamsBody = true
        case .redirect:
            request.url = base.appending(path: "moved")
            status = 302
        }
        let (sent, sentContext) = (request, context)
        let task = Task { try await transport.send(sent, context: sentContext) }
        if kind == .cancelled {
            for _ in 0..<Int.random(in: 0...40, using: &random) { await Task.yield() }
            task.cancel()
        }
        switch await task.result {
        case .failure(is CancellationError) where kind == .cancelled: return nil
        case .failure(let error): return "\(kind) \(mark): \(error)"
        case .success(let response):
            guard response.statusCode == status, response.headers["X-Mark"] == mark else {
                return "\(kind) \(mark): \(response.statusCode) \(response.headers["X-Mark"] ?? "no mark")"
            }
            guard kind != .partOfStream, let expected else { return nil }
            let text = (try? await response.body.bytes()).map { String(decoding: $0, as: UTF8.self) }
            return text == expected ? nil : "\(kind) \(mark): \(text ?? "no body") in place of \(expected)"
        }
    }

    @Test func `every response belongs to its request in a mix of requests`() async throws {
        var policy = TLSPolicy()
        policy.authorities = .file(certificates.authority)
        let bases = [server.url, server.url, server.serialURL]
        let faults = try await withTransport(requestsPerHost: 12, { $0.tls = policy }) { transport in
            await withTaskGroup(of: [String].self) { group in
                for lane in 0..<20 {
                    group.addTask {
                        var faults: [String] = []
                        var random = SeededGenerator(seed: UInt64(lane))
                        for number in stride(from: lane, to: Self.count, by: 20) {
                            // The first three lanes do only live uploads.
                            let kind = lane < 3 ? .liveUpload : Kind.allCases.randomElement(using: &random) ?? .plain
                            let base = bases[Int.random(in: 0..<3, using: &random)]
                            if let fault = await Self.fault(of: kind, "m\(number)", at: base, transport, &random) {
                                faults.append(fault)
                            }
                        }
                        return faults
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
        }
        #expect(faults.count == 0, "\(faults.prefix(20).joined(separator: "\n"))")
    }
}

extension ResponseBody {
    fileprivate func bytes() async throws -> Data {
        switch self {
        case .data(let data): return data
        case .file(let url): return try Data(contentsOf: url)
        case .stream(let stream): return try await stream.reduce(into: Data()) { $0 += $1 }
        }
    }
}
