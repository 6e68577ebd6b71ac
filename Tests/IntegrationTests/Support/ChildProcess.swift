import Foundation
import NetworkEngine

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A program in a process of its own: it ends with its standard input, at the latest when this is let go.
///
/// Not Foundation's `Process`, whose `run()` crashes now and then on Linux in a process with many threads.
final class ChildProcess: Sendable {
    struct CouldNotStart: Error { let code: Int32 }

    private let identifier: pid_t
    private let input: Int32
    private let output: Int32
    private let status = Locked<Int32?>(nil)

    /// Starts a program; what it prints, errors too, is read by `read(until:)`.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let (input, output) = (try Self.pipe(), try Self.pipe())
        defer {
            close(input.read)
            close(output.write)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, output.write, 2)
        closeInherited(&actions)
        let all = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var identifier = pid_t()
        let code = posix_spawn(&identifier, path, &actions, nil, words, variables)
        guard code == 0 else {
            close(input.write)
            close(output.read)
            throw CouldNotStart(code: code)
        }
        self.identifier = identifier
        self.input = input.write
        self.output = output.read
    }

    deinit {
        close(input)
        close(output)
        guard status.withLock({ $0 == nil }) else { return }
        kill(identifier, SIGTERM)
        _ = wait()
    }

    /// Reads what is printed until that is enough or the program has ended.
    func read(until isEnough: (String) -> Bool = { _ in false }) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !isEnough(String(decoding: bytes, as: UTF8.self)) {
            let count = Self.read(output, &buffer)
            if count <= 0 { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for the program's end.
    ///
    /// - Returns: what `waitpid` says of it; 0 when all went well.
    func wait() -> Int32 {
        var code: Int32 = 0
        while waitpid(identifier, &code, 0) < 0, errno == EINTR {}
        status.withLock { $0 = code }
        return code
    }

    /// `read`, which a method of the same name hides.
    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        buffer.withUnsafeMutableBytes { bytes in
            while true {
                let count = systemRead(descriptor, bytes.baseAddress, bytes.count)
                if count >= 0 || errno != EINTR { return count }
            }
        }
    }

    /// A pipe whose ends other programs do not inherit.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard systemPipe(&ends) == 0 else { throw CouldNotStart(code: errno) }
        for end in ends where fcntl(end, F_SETFD, FD_CLOEXEC) != 0 { throw CouldNotStart(code: errno) }
        return (ends[0], ends[1])
    }
}

private let systemRead = read
private let systemPipe = pipe

/// Closes everything but the three standard streams in the child. A socket or pipe of another test that lived on in here
/// would never end for the one who waits for its end.
private func closeInherited(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>) {
    #if canImport(Glibc) || canImport(Musl)
    // One that is not open is passed over.
    for descriptor in Int32(3)..<8192 { posix_spawn_file_actions_addclose(actions, descriptor) }
    #endif
}
