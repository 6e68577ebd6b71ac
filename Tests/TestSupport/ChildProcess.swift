import Dispatch
package import Foundation
import NetworkEngine

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A child process that never outlives this process.
///
/// It's killed when the last reference to it is released. If this process exits first, the child's standard input ends:
/// a program that ignores that must be started with `server(_:_:)`.
///
/// Foundation's `Process` isn't used: on Linux its `run()` occasionally crashes in a process with many threads, and
/// the child inherits blocked signals. The threads that run tests block all signals, so `terminate()` would have no
/// effect on such a child.
package final class ChildProcess: Sendable {
    package struct CouldNotStart: Error { let code: Int32 }

    private let identifier: pid_t
    /// Whether the program exits on its own, so that a shell can wait for its children.
    private let endsWithInput: Bool
    private let input: Int32
    private let output: Int32
    private let status = Locked<Int32?>(nil)

    /// Starts a program. `read(until:)` reads its output, by default including errors.
    package init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        discardsErrors: Bool = false,
        endsWithInput: Bool = false
    ) throws {
        self.endsWithInput = endsWithInput
        let (input, output) = (try Self.pipe(), try Self.pipe())
        defer {
            close(input.read)
            close(output.write)
        }
        let all = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var identifier = pid_t()
        let code = spawn(
            &identifier, words, variables, input: input.read, output: output.write,
            errors: discardsErrors ? nil : output.write)
        guard code == 0 else {
            close(input.write)
            close(output.read)
            throw CouldNotStart(code: code)
        }
        self.identifier = identifier
        self.input = input.write
        self.output = output.read
    }

    /// Starts a program that ignores the end of its standard input, under a shell that then kills it.
    package static func server(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        let script = """
            exec 3<&0
            "$@" </dev/null 3<&- &
            server=$!
            exec >/dev/null
            (read -r line; kill -9 $server) <&3 3<&- &
            wait $server
            kill -9 $!
            wait
            """
        return try ChildProcess(
            "/bin/sh", ["-c", script, "sh", program] + arguments, discardsErrors: true, endsWithInput: true)
    }

    deinit {
        close(input)
        close(output)
        if !endsWithInput { kill() }
        _ = wait()
    }

    /// Writes to the program's standard input.
    package func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = systemWrite(input, $0.baseAddress, $0.count) }
    }

    /// Reads output until a condition is met or the program has ended.
    package func read(until isEnough: (String) -> Bool = { _ in false }) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isEnough(String(decoding: bytes, as: UTF8.self)) {
            let count = Self.read(output, &buffer)
            if count <= 0 { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the port that a server prints on its first line.
    package func readPort() throws -> UInt16 {
        let text = read { $0.hasSuffix("\n") }
        guard let port = UInt16(text.prefix { $0.isNumber }) else { throw NotListening(output: text) }
        return port
    }

    /// The address of a server, on the port that it prints on its first line.
    package func address(scheme: String = "http") async throws -> URL {
        let port = try await withCheckedThrowingContinuation { waiter in
            DispatchQueue.global().async { waiter.resume(with: Result { try self.readPort() }) }
        }
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)") else { throw CocoaError(.fileReadUnknown) }
        return url
    }

    package struct NotListening: Error {
        let output: String

        package init(output: String) { self.output = output }
    }

    package var isRunning: Bool {
        status.withLock { status in
            var code: Int32 = 0
            if status == nil, waitpid(identifier, &code, WNOHANG) == identifier { status = code }
            return status == nil
        }
    }

    /// Waits for the program's end.
    ///
    /// - Returns: The status from `waitpid`; 0 for success.
    package func wait() -> Int32 {
        if let code = status.withLock({ $0 }) { return code }
        var code: Int32 = 0
        while waitpid(identifier, &code, 0) < 0, errno == EINTR {}
        status.withLock { $0 = code }
        return code
    }

    /// Kills the program and its children, unless it has exited.
    package func kill() {
        status.withLock { if $0 == nil { _ = systemKill(-identifier, SIGKILL) } }
    }

    /// `read`, which is hidden by a method with the same name.
    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { bytes in
            while true {
                let count = systemRead(descriptor, bytes.baseAddress, bytes.count)
                if count >= 0 || errno != EINTR { return count }
            }
        }
    }

    /// Creates a pipe that other programs don't inherit.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard systemPipe(&ends) == 0 else { throw CouldNotStart(code: errno) }
        for end in ends where fcntl(end, F_SETFD, FD_CLOEXEC) != 0 { throw CouldNotStart(code: errno) }
        return (ends[0], ends[1])
    }
}

private let systemRead = read
private let systemWrite = write
private let systemPipe = pipe
private let systemKill = kill
