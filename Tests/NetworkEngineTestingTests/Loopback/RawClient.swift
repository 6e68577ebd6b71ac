import Foundation

@testable import NetworkEngineTesting

/// A blocking client that sends arbitrary bytes and returns the received bytes.
final class RawClient: Sendable {
    enum Failure: Error, Equatable { case connect(Int32), send(Int32), receive(Int32), ended(String) }

    private let descriptor: Int32

    convenience init(_ server: LoopbackServer) throws {
        try self.init(port: server.port)
    }

    init(port: UInt16, family: Int32 = AF_INET) throws {
        descriptor = socket(family, LoopbackPlatform.stream, 0)
        LoopbackPlatform.silencePipeSignal(descriptor)
        let connected =
            family == AF_INET
            ? Self.connect(descriptor, LoopbackPlatform.address(port: port))
            : Self.connect(descriptor, LoopbackPlatform.address6(port: port))
        guard connected == 0 else { throw Failure.connect(errno) }
        // Only prevents hanging forever: with all suites running, an asynchronous handler can wait half a minute.
        var limit = timeval(tv_sec: 280, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Runs blocking work on a separate thread. Tasks need the threads of the system's queues.
    static func beside<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { waiter in
            Thread.detachNewThread { waiter.resume(with: Result(catching: work)) }
        }
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: Address) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, LoopbackPlatform.sendFlags)
            }
            guard count > 0 else { throw Failure.send(errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends bytes repeatedly until the server stops accepting them for a while. Returns how many times all were sent.
    func send(_ bytes: [UInt8], times: Int, within limit: Duration) throws -> Int {
        var limit = timeval(tv_sec: 0, tv_usec: .init(limit / .microseconds(1)))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        for count in 0..<times {
            do throws(Failure) {
                try send(bytes)
            } catch {
                guard error == .send(EAGAIN) else { throw error }
                return count
            }
        }
        return times
    }

    /// Returns the bytes from one read; `nil` at the end.
    func read() throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure.receive(errno) }
        return count == 0 ? nil : Array(buffer.prefix(count))
    }

    func readBytesToEnd() throws -> [UInt8] {
        var all: [UInt8] = []
        while let more = try read() { all += more }
        return all
    }

    func readToEnd() throws -> String { String(decoding: try readBytesToEnd(), as: UTF8.self) }

    /// Reads until the text ends with a suffix.
    func read(until end: String) throws -> String {
        var all = ""
        while !all.hasSuffix(end) {
            guard let more = try read() else { throw Failure.ended(all) }
            all += String(decoding: more, as: UTF8.self)
        }
        return all
    }

    func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Shuts down the connection in both directions, which also ends a waiting call.
    func disconnect() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Resets the connection, and keeps the descriptor.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        let null = open("/dev/null", O_RDONLY)
        // Replaces the socket, which closes it.
        dup2(null, descriptor)
        close(null)
    }

    static func get(_ target: String = "/", _ fields: String...) -> String {
        "GET \(target) HTTP/1.1\r\nHost: test\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }
}
