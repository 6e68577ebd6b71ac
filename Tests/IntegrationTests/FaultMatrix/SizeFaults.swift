import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if os(Linux)
/// Fault cases about size, each in a separate process, so that its memory and CPU time are measured alone.
@Suite(.serialized, .timeLimit(.minutes(15))) struct SizeFaults {
    struct Case: Sendable, CustomTestStringConvertible {
        let fault: FaultCase
        /// The memory, in bytes, that the case may use beyond an ordinary exchange.
        var memory = 24 << 20
        var processorTime: Duration = .seconds(20)

        var testDescription: String { fault.testDescription }
    }

    private static let tooLarge = FaultExpectation.ends(.fails(.limitExceeded))

    /// A rate that every transport keeps up with.
    private static let rate = 60_000_000

    private static func endlessHeaders() -> LoopbackResponse {
        var response = LoopbackResponse.raw("HTTP/1.1 200 OK\r\n")
        response.body = .repeating(Data("X-Name: value\r\n".utf8), count: nil)
        return response
    }

    private static let manyHeaders = (0..<5_000).map { "X-\($0): v\r\n" }.joined()

    static let cases = [
        Case(
            fault: FaultCase(
                "an endless body in memory", .endless().chunked(size: 1 << 20).throttled(bytesPerSecond: rate),
                expecting: tooLarge
            )
            .configured { $0.limits.bodyInMemory = 4 << 20 }
        ),
        Case(
            fault: FaultCase(
                "an endless body in a file", .endless().chunked(size: 1 << 20).throttled(bytesPerSecond: rate),
                expecting: tooLarge
            )
            .configured { $0.limits.bodyInFile = 20 << 20 }.savingToFile()
        ),
        Case(
            fault: FaultCase(
                "an endless body at full speed",
                LoopbackResponse(body: .repeating(Data("0123456789abcdef".utf8), count: 2 << 30)), expecting: tooLarge
            )
            .configured { $0.limits.bodyInMemory = 4 << 20 }
        ),
        Case(
            fault: FaultCase(
                "40 MB in a file",
                LoopbackResponse(body: .repeating(Data("0123456789abcdef".utf8), count: 40_000_000))
                    .throttled(bytesPerSecond: rate),
                expecting: .ends(.ok("40000000"))
            ).savingToFile()
        ),
        Case(
            fault: FaultCase("a gzip bomb in memory", .gzipBomb(64 << 20), expecting: tooLarge)
                .configured { $0.limits.bodyInMemory = 4 << 20 }
        ),
        Case(
            fault: FaultCase("a gzip bomb in a file", .gzipBomb(64 << 20), expecting: tooLarge)
                .configured { $0.limits.bodyInFile = 4 << 20 }.savingToFile()
        ),
        Case(
            fault: FaultCase("endless headers", endlessHeaders(), expecting: tooLarge)
                // Under ThreadSanitizer, the session needs minutes for them on a busy machine.
                .configured { $0.timeout = .seconds(300) }
        ),
        Case(
            fault: FaultCase(
                "5,000 headers",
                .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\(manyHeaders)\r\nhello", then: .keepAlive),
                expecting: .ends(.ok("5001"))
            ).telling { "\($0.headers.count)" },
            processorTime: .seconds(2)
        ),
    ]

    @Test(arguments: cases, Wire.distinct)
    func `everything that a server can make large has a limit`(row: Case, wire: Wire) async {
        await #expect(processExitsWith: .success) { [id = row.fault.id as String, name = wire.name as String] in
            let row = try #require(SizeFaults.cases.first { $0.fault.id == id })
            try await SizeFaults.run(row, over: try Wire.named(name))
        }
    }

    private static func check(_ growth: Int, _ row: Case, _ wire: Wire) {
        let difference = wire.differences[row.fault.id]
        if case .takesWhatItLikes? = difference?.effect { return }
        guard case .takes(let memory)? = difference?.effect, let heading = difference?.heading else {
            if growth > row.memory { Issue.record("it took \(growth >> 20) MiB of memory") }
            return
        }
        if growth <= row.memory {
            Issue.record("the difference disappeared that \(heading) explains: delete its entry")
        }
        if growth > memory { Issue.record("it took \(growth >> 20) MiB of memory, more than \(heading) explains") }
    }

    private static func run(_ row: Case, over wire: Wire) async throws {
        // Nothing slows the server down there, and under ThreadSanitizer the session needs minutes for the backlog.
        if ThreadSanitizer.isWatching, case .takesWhatItLikes? = wire.differences[row.fault.id]?.effect { return }
        // Allocates everything that is created once and kept, before the measurement starts.
        let ordinary = FaultCase("ordinary", .text("hello").gzipped(), expecting: .ends(.ok("hello")))
        try await FaultRun.check(ordinary, over: wire)
        let (memory, time) = (try Peak.memory(), try Peak.processorTime())
        try await FaultRun.check(row.fault, over: wire)
        let growth = try Peak.memory() - memory
        let used = try Peak.processorTime() - time
        if ThreadSanitizer.isWatching { return }
        check(growth, row, wire)
        if used > row.processorTime { Issue.record("it took \(used) of the processors' time") }
        print("size \(row.fault.id) over \(wire.name): \(growth >> 20) MiB, \(used)")
    }
}
#endif
