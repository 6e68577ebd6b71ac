public import Foundation
public import NetworkEngine

/// Records exchanges, and writes them as an HTTP Archive (HAR 1.2), which browsers and proxies open.
///
/// ```swift
/// let recorder = HARRecorder()
/// configuration.observers = [recorder]
/// // …
/// try recorder.write(to: file)
/// ```
/// Each exchange with a server is an entry: every redirect, every attempt, and every failure with the status 0. A
/// response from the cache is an entry, too. Entries are sorted by their starts. Secrets are removed when the file is
/// written, as from a cassette.
///
/// The recorder keeps the last exchanges within a limit of memory. If the memory is used up, the oldest exchanges lose
/// their bodies first.
public final class HARRecorder: NetworkObserver {
    private let limit: Int
    private let recording: CallRecording

    /// - Parameters:
    ///   - limit: the number of exchanges.
    ///   - bodyLimit: the number of bytes that are recorded of each body.
    ///   - memoryLimit: about the number of bytes that the recording takes in memory.
    public init(limit: Int = 1_000, bodyLimit: Int = 64 << 10, memoryLimit: Int = 64 << 20) {
        self.limit = max(limit, 0)
        recording = CallRecording(limit: limit, of: .exchanges, bodyLimit: bodyLimit, memoryLimit: memoryLimit)
    }

    public func handle(_ event: NetworkEvent) { recording.record(event) }

    /// Writes the recorded exchanges to a file that only its owner can read, and replaces an existing file.
    ///
    /// The file has all exchanges of the calls that ended before, and those of open calls so far.
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

    /// About the bytes of memory that the recording takes.
    var cost: Int { recording.cost }
}

extension HARRecorder: QueuedObserver {
    package var queue: ObserverQueue { recording.queue }
}

extension CallRecording.Snapshot {
    /// The exchanges of all calls by their starts. Those of concurrent calls alternate.
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
    /// Writes an archive entry by entry, so that the text of a large one need not be in memory.
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
