import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if os(Linux)
/// Changes to the machine's own time.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ClockFaults {
    /// The library from Debian's `faketime` package that a process can read the time from.
    private static let library = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketimeMT.so.1" }
        .first { FileManager.default.fileExists(atPath: $0) }
    private static let variable = "NETWORKENGINE_FAKETIME"

    @Test func `a wall clock that jumps moves no timer`() async throws {
        guard let library = Self.library else { return print("skipped: the package faketime is not installed") }
        guard !ThreadSanitizer.isWatching else { return print("skipped: both libraries want to be the first") }
        let folder = try TemporaryFolder()
        let offset = try folder.file("offset", "+0")
        // `env` twice: the library relocates the environment of the first program that loads it, and Swift then can't
        // find its arguments.
        let arguments = [
            "LD_PRELOAD=\(library)", "FAKETIME_TIMESTAMP_FILE=\(offset.path)", "FAKETIME_NO_CACHE=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1", "\(Self.variable)=\(offset.path)", "/usr/bin/env",
            CommandLine.arguments[0],
            "--testing-library", "swift-testing", "--filter", "ClockFaults.*with a clock that jumps",
        ]
        let (status, text) = try await Program.run("env", arguments)
        #expect(status == 0)
        #expect(text.contains("the clock has jumped"), "\(text.suffix(4_000))")
    }

    /// Runs in the process that the test above starts, and does nothing elsewhere.
    @Test func `with a clock that jumps`() async throws {
        guard let path = ProcessInfo.processInfo.environment[Self.variable] else { return }
        for wire in Wire.distinct {
            for jump in ["+1d", "-1h"] {
                try Data("+0".utf8).write(to: URL(filePath: path))
                let server = try LoopbackServer { $0.path == "/quick" ? .text("x") : .fault(.stall) }
                try await wire.withTransport { transport in
                    let engine = RequestEngine.over(transport) {
                        // The timeout restarts after each byte, even after the jump.
                        $0.deadline = .milliseconds(500)
                    }
                    let others = RequestEngine.over(transport)
                    let (wall, start) = (Date(), ContinuousClock.now)
                    async let call = engine.ending(of: server.request("stall")).ending
                    _ = try await server.request { $0.path == "/stall" }
                    // Unlike a real clock change, the library also moves timers that are set on the monotonic clock
                    // after a jump (`timerfd_settime`). By the time the other calls have completed, this call's timers
                    // are set.
                    for _ in 0..<20 { _ = await others.ending(of: server.request("quick")) }
                    try Data(jump.utf8).write(to: URL(filePath: path))
                    let ending = await call
                    let took = ContinuousClock.now - start
                    #expect(abs(Date().timeIntervalSince(wall)) > 3_000, "the clock did not jump at all")
                    #expect(ending == .fails(.timeout(.deadline)))
                    #expect((.milliseconds(500) ... .seconds(3)).contains(took), "\(took)")
                }
            }
        }
        print("the clock has jumped")
    }

    @Test(arguments: Wire.distinct)
    func `a suspended process fires each overdue timer once when it resumes`(wire: Wire) async {
        await #expect(processExitsWith: .success) { [name = wire.name as String] in
            let server = try LoopbackServer { $0.path == "/stall" ? .fault(.stall) : .text("awake") }
            try await Wire.named(name).withTransport { transport in
                let start = ContinuousClock.now
                let endings = Delivery<FaultEnding>()
                let engine = RequestEngine.over(transport) {
                    ($0.timeout, $0.deadline) = (.milliseconds(300), .milliseconds(400))
                }
                let calls = (0..<3).map { _ in
                    Task { endings.add(await engine.ending(of: server.request("stall")).ending) }
                }
                try await server.wait { $0.requestCount == 3 }
                try await ClockFaults.suspendThisProcess(seconds: 1)
                for call in calls { await call.value }
                // The elapsed time is the only evidence of the suspension.
                #expect(ContinuousClock.now - start > .seconds(1))
                #expect(endings.all.count == 3)
                #expect(
                    endings.all.allSatisfy {
                        [.timeout(.response), .timeout(.attempt), .timeout(.deadline)].map(FaultEnding.fails).contains(
                            $0)
                    })
                #expect(await RequestEngine.over(transport).ending(of: server.request()).ending == .ok("awake"))
            }
        }
    }

    /// Makes another process stop this one and resume it.
    private static func suspendThisProcess(seconds: Int) async throws {
        let own = ProcessInfo.processInfo.processIdentifier
        _ = try await Program.run("sh", ["-c", "kill -STOP \(own); sleep \(seconds); kill -CONT \(own)"])
    }
}
#endif
