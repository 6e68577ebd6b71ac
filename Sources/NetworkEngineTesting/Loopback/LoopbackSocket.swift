import Foundation

/// A non-blocking socket descriptor with the calls that a server needs.
struct LoopbackSocket {
    enum Outcome {
        case bytes(Int)
        case ended
        case wouldBlock
        case failed
    }

    let descriptor: Int32

    static func listening(_ configuration: LoopbackConfiguration) throws(LoopbackServerError) -> LoopbackSocket {
        let family = configuration.address == .ipv4 ? AF_INET : AF_INET6
        let descriptor = socket(family, LoopbackPlatform.stream, 0)
        guard descriptor >= 0 else { throw LoopbackServerError(step: "socket") }
        let listener = LoopbackSocket(descriptor: descriptor)
        do throws(LoopbackServerError) {
            listener.set(SOL_SOCKET, SO_REUSEADDR, 1)
            if let size = configuration.receiveBufferSize { listener.set(SOL_SOCKET, SO_RCVBUF, Int32(clamping: size)) }
            if let size = configuration.sendBufferSize { listener.set(SOL_SOCKET, SO_SNDBUF, Int32(clamping: size)) }
            let bound = listener.bind(configuration)
            guard bound == 0 else { throw LoopbackServerError(step: "bind") }
            guard listen(descriptor, configuration.backlog) == 0 else { throw LoopbackServerError(step: "listen") }
            listener.makeNonBlocking()
            return listener
        } catch {
            listener.close()
            throw error
        }
    }

    private func bind(_ configuration: LoopbackConfiguration) -> Int32 {
        switch configuration.address {
        case .ipv4:
            var address = LoopbackPlatform.address(port: configuration.port)
            return Self.withRawAddress(&address) { Foundation.bind(descriptor, $0, $1) }
        case .ipv6:
            var address = LoopbackPlatform.address6(port: configuration.port)
            return Self.withRawAddress(&address) { Foundation.bind(descriptor, $0, $1) }
        }
    }

    private static func withRawAddress<Address>(
        _ address: inout Address,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafeMutableBytes(of: &address) { raw in
            guard let base = raw.baseAddress else { return -1 }
            return body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
        }
    }

    /// The port this socket is bound to.
    var port: UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = Self.withRawAddress(&storage) { address, _ in getsockname(descriptor, address, &length) }
        guard named == 0 else { return 0 }
        // The port has the same position in both address families.
        return withUnsafeBytes(of: &storage) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
    }

    /// Accepts the next connection; `nil` with `errno` set when none is pending.
    func accept() -> LoopbackSocket? {
        let accepted = Foundation.accept(descriptor, nil, nil)
        guard accepted >= 0 else { return nil }
        let connection = LoopbackSocket(descriptor: accepted)
        connection.makeNonBlocking()
        connection.set(LoopbackPlatform.tcp, TCP_NODELAY, 1)
        LoopbackPlatform.silencePipeSignal(accepted)
        return connection
    }

    func makeNonBlocking() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        Self.outcome { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    /// Reads the next byte without removing it.
    func peek() -> Outcome {
        var byte: UInt8 = 0
        return Self.outcome { recv(descriptor, &byte, 1, LoopbackPlatform.peek) }
    }

    func send(_ buffer: UnsafeRawBufferPointer) -> Outcome {
        Self.outcome { Foundation.send(descriptor, buffer.baseAddress, buffer.count, LoopbackPlatform.sendFlags) }
    }

    private static func outcome(of call: () -> Int) -> Outcome {
        while true {
            let count = call()
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            default: return .failed
            }
        }
    }

    /// Closes the sending direction: the peer reads an end of file after the sent bytes.
    func finishSending() {
        _ = shutdown(descriptor, LoopbackPlatform.sendsEnd)
    }

    func close() {
        _ = Foundation.close(descriptor)
    }

    /// Closes with a reset, so that the peer's next call fails.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close()
    }
}

/// A socket with the bytes that it has not accepted yet.
struct BufferedSocket {
    let socket: LoopbackSocket
    private var unsent: ArraySlice<UInt8> = []

    enum Progress { case done, blocked, lost }

    init(_ socket: LoopbackSocket) { self.socket = socket }

    var isBlocked: Bool { !unsent.isEmpty }

    mutating func send(_ bytes: [UInt8]) -> Progress {
        unsent = bytes[...]
        return flush()
    }

    mutating func flush() -> Progress {
        while !unsent.isEmpty {
            switch unsent.withUnsafeBytes(socket.send) {
            case .bytes(let count): unsent = unsent.dropFirst(count)
            case .wouldBlock: return .blocked
            case .ended, .failed: return .lost
            }
        }
        return .done
    }

    /// Closes so that the peer can read all sent bytes. Closing with unread bytes would cause a reset.
    func close() {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { scratch in
            // Bounded, because the peer may never stop sending.
            for _ in 0..<64 { guard case .bytes = socket.receive(into: scratch) else { break } }
        }
        socket.close()
    }
}

/// A system call failed while starting a server.
public struct LoopbackServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The name of the call, such as `bind`.
    public let step: String
    /// Its `errno`.
    public let code: Int32

    init(step: String, code: Int32 = errno) {
        self.step = step
        self.code = code
    }

    public var description: String { "\(step) failed: \(String(cString: strerror(code)))" }
}
