import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSessionKnownLimits {
    /// The parts of requests and responses that the platform loses.
    static let inMessages = [
        Limit("Limits of requests", "several headers of one name arrive as one") {
            let server = try LoopbackServer { _ in LoopbackResponse.text("").header("X-A", "1").header("X-A", "2") }
            let response = try await withTransport { try await $0.send(server.request()) }
            return response.headers.values(for: "X-A").count == 1
        },
        Limit("Limits of requests", "headers of different names lose their order") {
            let names = (0..<12).map { "X-\($0)" }
            let server = try LoopbackServer { _ in names.reduce(.text("ok")) { $0.header($1, "1") } }
            let response = await RawSession.outcome(of: URLRequest(url: server.url)).response as? HTTPURLResponse
            let order = response?.allHeaderFields.keys.compactMap { $0 as? String }.filter { $0.hasPrefix("X-") }
            return order.map { $0 != names } ?? false
        },
        Limit("Limits of bodies", "a body is decoded even where no coding was asked for") {
            let server = try LoopbackServer { _ in .text("ok").gzipped() }
            let request = server.request(headers: ["Accept-Encoding": "identity"])
            return try await withTransport { try await $0.send(request).text } == "ok"
        },
        Limit("Limits of requests", "GET with a body is not sent") {
            let server = try LoopbackServer { _ in .text("ok") }
            var request = URLRequest(url: server.url)
            request.httpBody = Data("x".utf8)
            let plain = await RawSession.outcome(of: request).error as? URLError
            request.httpBody = nil
            request.httpBodyStream = InputStream(data: Data("x".utf8))
            let streamed = await RawSession.outcome(of: request)
            let isRefused = (streamed.error as? URLError)?.code == .dataLengthExceedsMaximum
            return plain?.code == .dataLengthExceedsMaximum && (isRefused || server.requests.first?.text != "x")
        },
        Limit("Downloads and metrics", "the times of name resolution, connecting and the handshake are not reported") {
            let server = try LoopbackServer { _ in .text("ok") }
            return await RawSession.outcome(of: URLRequest(url: server.url)).hasMetrics == false
        },
        Limit("Bodies and memory", "a server cannot be slowed down: unread bytes are kept in memory") {
            let size = 64 << 20
            let server = try LoopbackServer()
            server.enqueue(
                LoopbackResponse(body: .repeating(Data([1]), count: size)).ending(.close))
            let isTaken = DispatchSemaphore(value: 0)
            let hasWaited = Locked(false)
            let context = TransportContext { step in
                guard step.direction == .receiving, hasWaited.withLock({ !$0.exchange(with: true) }) else { return }
                // From here on, the client doesn't read until the server has sent everything.
                isTaken.wait()
            }
            return try await withTransport { transport in
                async let response = transport.send(server.request(), context: context)
                try await server.wait { $0.acceptedConnections == 1 && $0.openConnections == 0 }
                isTaken.signal()
                return try await response.data.count == size
            }
        },
    ]
}

extension Bool {
    fileprivate mutating func exchange(with other: Bool) -> Bool {
        defer { self = other }
        return self
    }
}
#endif
