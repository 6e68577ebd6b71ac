import CLibcurl
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

#if os(Linux)
@Suite(.timeLimit(.minutes(10))) struct PipeGuardTests {
    private static func isPending(_ signal: Int32) -> Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, signal) == 1
    }

    /// Without the guard, the first write terminates the process.
    @Test func `a write to a closed pipe is an error and does not end the process`() {
        for _ in 0..<3 {
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            close(ends[0])
            defer { close(ends[1]) }
            let guardian = lc_pipe_guard_begin()
            #expect(write(ends[1], "a", 1) == -1)
            #expect(errno == EPIPE)
            #expect(Self.isPending(SIGPIPE))
            lc_pipe_guard_end(guardian)
            #expect(!Self.isPending(SIGPIPE))
        }
    }

    @Test func `a thread keeps its signals`() {
        var (before, after) = (sigset_t(), sigset_t())
        pthread_sigmask(SIG_BLOCK, nil, &before)
        let guardian = lc_pipe_guard_begin()
        lc_pipe_guard_end(guardian)
        pthread_sigmask(SIG_BLOCK, nil, &after)
        for signal in [SIGPIPE, SIGTERM, SIGUSR1] {
            #expect(sigismember(&before, signal) == sigismember(&after, signal))
        }
    }
}
#endif
