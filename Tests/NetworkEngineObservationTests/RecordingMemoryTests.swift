import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation

/// Measures a recording's memory in a separate process, where no other test uses memory.
@Suite(
    .timeLimit(.minutes(10)), .enabled(if: Program.canRepeatTests, "the tests cannot start themselves"),
    .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
struct RecordingMemoryTests {
    private static let isMeasuring = "NETWORKENGINE_RECORDING"

    @Test func `any number of calls with bodies stays within the limit of memory`() async throws {
        if ProcessInfo.processInfo.environment[Self.isMeasuring] != nil { return measure() }
        let arguments = ["--testing-library", "swift-testing", "--filter", "RecordingMemoryTests"]
        let process = try ChildProcess(CommandLine.arguments[0], arguments, environment: [Self.isMeasuring: "1"])
        let (status, output) = await withCheckedContinuation { ended in
            DispatchQueue.global().async {
                let output = process.read()
                ended.resume(returning: (process.wait(), output))
            }
        }
        #expect(status == 0 && output.contains("MiB resident"), "\(output)")
    }

    private func measure() {
        let recorder = HARRecorder(limit: 100_000, memoryLimit: 32 << 20)
        let body = Data(String(repeating: "{\"name\":\"Ada\"}", count: 150).utf8)
        let count = TestLength.count(20_000, gate: 100_000, whole: 100_000)
        let before = Memory.resident
        for number in 1...count {
            PlayedCall.simple(.example(.post, "/users/\(number)", body: .data(body)), body: body).play(to: recorder)
            if number.isMultiple(of: 1_000) { #expect(recorder.cost <= 32 << 20) }
        }
        let growth = Memory.resident - before
        print("\(count) calls with bodies: \(recorder.cost >> 20) MiB by the recorder, \(growth >> 20) MiB resident")
        #expect(recorder.cost > 16 << 20 && growth < 96 << 20)
    }
}

/// The resident memory of this process in bytes; 0 if unknown.
private enum Memory {
    static var resident: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4_096 : 0
    }
}
