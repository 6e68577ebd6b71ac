public import Foundation
public import NetworkEngine

/// Records exchanges and writes them as an HTTP Archive (HAR 1.2), which browsers and proxies can open.
///
/// ```swift
/// let recorder = HARRecorder()
/// configuration.observers = [recorder]
/// // …
/// try recorder.write(to: file)
/// ```
/// Each exchange with a server is an entry: every redirect, every attempt, and every failure, with status 0. A cached
/// response is also an entry. Entries are sorted by start time. Secrets are removed when the file is written, as in a
/// cassette.
///
/// The recorder keeps the most recent exchanges within a memory limit. When the limit is reached, the oldest exchanges
/// lose their bodies first.
public final class HARRecorder: NetworkObserver {
    private let limit: Int
    private let recording: CallRecording

    /// - Parameters:
    ///   - limit: the number of exchanges.
    ///   - bodyLimit: the number of bytes to record of each body.
    ///   - memoryLimit: the approximate number of bytes of memory for the recording.
    public init(limit: Int = 1_000, bodyLimit: Int = 64 << 10, memoryLimit: Int = 64 << 20) {
        self.limit = max(limit, 0)
        recording = CallRecording(limit: limit, of: .exchanges, bodyLimit: bodyLimit, memoryLimit: memoryLimit)
    }

    public func handle(_ event: NetworkEvent) { recording.record(event) }

    /// Writes the recorded exchanges to a file that only its owner can read, replacing an existing file.
    ///
    /// The file contains all exchanges of the calls that have ended, and the exchanges so far of open calls.
    public func write(to file: URL) throws {
        let snapshot = recording.snapshot()
        var redaction = CallRedaction(snapshot.calls)
        let exchanges = snapshot.exchanges.suffix(limit)
        try BodyFile.replace(file) { file in
            var output = BufferedOutput(file)
            try output.writeArchive(comment: snapshot.note) { write in
                for (_, call, exchange) in exchanges { try write(redaction.entry(for: exchange, of: call)) }
            }
        }
    }

    /// The approximate memory size of the recording in bytes.
    var cost: Int { recording.cost }
}

extension HARRecorder: QueuedObserver {
    package var queue: ObserverQueue { recording.queue }
}

extension CallRecording.Snapshot {
    /// The exchanges of all calls, sorted by start time. Exchanges of concurrent calls alternate.
    fileprivate var exchanges: [(start: Date, call: RecordedCall, exchange: RecordedExchange)] {
        let exchanges = calls.flatMap { call in
            call.exchanges.map { (start: call.date(of: $0), call: call, exchange: $0) }
        }
        // Exchanges that start together keep the order of their calls.
        let sorted = exchanges.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }
        return sorted.map(\.element)
    }
}

extension BufferedOutput {
    /// Writes an archive entry by entry, so that a large text is never completely in memory.
    fileprivate mutating func writeArchive(
        comment: String?, _ entries: ((HAREntry) throws -> Void) throws -> Void
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let frame = try encoder.encode(HARFile(entries: [], comment: comment))
        let mark = Data(#""entries":["#.utf8)
        guard let start = frame.range(of: mark) else { preconditionFailure("An archive has entries") }
        write(frame[..<start.upperBound])
        var isFirst = true
        try entries { entry in
            write(isFirst ? "\n" : ",\n")
            isFirst = false
            write(try encoder.encode(entry))
            try flushIfFull()
        }
        write("\n")
        write(frame[start.upperBound...])
        write("\n")
        try flush()
    }
}
