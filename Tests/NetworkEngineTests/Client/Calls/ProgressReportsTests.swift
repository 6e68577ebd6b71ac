import Dispatch
import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(10))) struct ProgressReportsTests {
    private static let rounds = TestLength.count(1_000, gate: 10_000, whole: 50_000)

    private static func report(_ count: Int64) -> TransferProgress {
        TransferProgress(direction: .receiving, completed: count)
    }

    @Test func `a closure that joins during a report gets no older report after a newer one`() {
        let (reports, seen) = (ProgressReports(), Locked<[Int64]>([]))
        reports.report(Self.report(1))
        reports.listen { report in
            if report.completed == 1 { reports.report(Self.report(2)) }
            seen.withLock { $0.append(report.completed) }
        }
        reports.report(Self.report(3))
        #expect(seen.withLock { $0 } == [1, 2, 3])
    }

    @Test func `a stream that begins during a report ends with the last report`() async {
        for round in 0..<Self.rounds {
            let (reports, streams) = (ProgressReports(), Locked<[AsyncStream<TransferProgress>]>([]))
            DispatchQueue.concurrentPerform(iterations: 2) { worker in
                for count: Int64 in 1...20 {
                    if worker == 0 {
                        reports.report(Self.report(count))
                    } else {
                        let stream = reports.stream
                        streams.withLock { $0.append(stream) }
                    }
                }
            }
            reports.finish()
            for stream in streams.withLock({ $0 }) {
                let last = await stream.reduce(0) { $1.completed }
                guard last == 20 else { return complain("round \(round): \(last)") }
            }
        }
    }
}
