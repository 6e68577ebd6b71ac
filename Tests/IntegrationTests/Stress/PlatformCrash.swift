import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

/// A platform crash that our code can't prevent, recognized by the runtime's backtrace.
///
/// When thousands of connections are lost, the manager thread of libdispatch reads invalid memory in
/// `_dispatch_event_loop_drain`, without a frame from this package: once or twice in a million exchanges over
/// URLSession. It's recognized only if backtraces are written to a folder:
/// `SWIFT_BACKTRACE=enable=yes,output-to=/folder/`.
enum PlatformCrash {
    private static let frame = "_dispatch_event_loop_drain"

    /// Runs work that occasionally crashes this way.
    ///
    /// - Returns: Whether it didn't crash. Any other failure is recorded as an issue.
    static func spares(_ body: () async -> Void) async -> Bool {
        let before = backtraces
        let isSpared = Locked(true)
        await withKnownIssue("libdispatch crashed", isIntermittent: true) {
            await body()
        } matching: { _ in
            let texts = backtraces.subtracting(before).compactMap { try? String(contentsOf: $0, encoding: .utf8) }
            guard texts.contains(where: isKnown) else { return false }
            isSpared.withLock { $0 = false }
            return true
        }
        return isSpared.withLock { $0 }
    }

    private static var backtraces: Set<URL> {
        let words = ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"]?.split(separator: ",") ?? []
        guard let place = words.first(where: { $0.hasPrefix("output-to=") })?.dropFirst(10) else { return [] }
        let folder = URL(fileURLWithPath: String(place))
        return Set((try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [])
    }

    /// Whether the process crashed in the known frame.
    fileprivate static func isKnown(_ backtrace: String) -> Bool {
        let lines = backtrace.split(separator: "\n").drop { !$0.hasSuffix(" crashed:") }
        return lines.dropFirst().first?.contains(" \(frame) ") == true
    }
}

@Suite struct PlatformCrashTests {
    private func backtrace(crashedIn frame: String) -> String {
        """
        *** Program crashed: Bad pointer dereference at 0x0000000000000002 ***

        Thread 0 "tests":

          0      0x00007f7cd23519c0 _dispatch_event_loop_drain + 1120 in libdispatch.so

        Thread 3 "-qos.overcommit" crashed:

          0      0x00007f7cd23519c0 \(frame) + 1120 in libdispatch.so
          1 [ra] 0x00007f7cd2346ff2 _dispatch_mgr_invoke + 129 in libdispatch.so
        """
    }

    @Test func `a crash is attributed to the platform by the frame that crashed only`() {
        #expect(PlatformCrash.isKnown(backtrace(crashedIn: "_dispatch_event_loop_drain")))
        #expect(!PlatformCrash.isKnown(backtrace(crashedIn: "swift_retain")))
        #expect(!PlatformCrash.isKnown("nothing crashed"))
    }
}
