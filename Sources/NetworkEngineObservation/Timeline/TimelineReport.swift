public import Foundation
public import NetworkEngine

/// Records calls and writes them as a page that shows when each part of a call took place.
///
/// ```swift
/// let report = TimelineReport()
/// configuration.observers = [report]
/// // …
/// try report.write(to: file)
/// ```
/// The page is a single HTML file without external references, so it opens from disk and without a network. It shows a
/// waterfall of calls with the phases of their exchanges, attempts, waits, credential refreshes and cache answers. A
/// call's details contain the messages with their bodies, and the cURL command for each request.
///
/// Secrets are removed when the file is written, as in a cassette. Text from servers and callers is data in the page
/// and cannot become markup or a script.
public final class TimelineReport: NetworkObserver {
    private let limit: Int
    private let recording: CallRecording

    /// - Parameters:
    ///   - limit: the number of calls.
    ///   - bodyLimit: the number of bytes to record of each body.
    ///   - memoryLimit: the approximate number of bytes of memory for the recording.
    public init(limit: Int = 10_000, bodyLimit: Int = 16 << 10, memoryLimit: Int = 64 << 20) {
        self.limit = max(limit, 0)
        recording = CallRecording(limit: limit, of: .calls, bodyLimit: bodyLimit, memoryLimit: memoryLimit)
    }

    public func handle(_ event: NetworkEvent) { recording.record(event) }

    /// Writes the page to a file that only its owner can read, replacing an existing file.
    public func write(to file: URL) throws {
        let snapshot = recording.snapshot()
        var redaction = CallRedaction(snapshot.calls)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let start = snapshot.calls.first?.start.date ?? Date(timeIntervalSince1970: 0)
        try BodyFile.replace(file) { file in
            var output = BufferedOutput(file)
            output.write(TimelinePage.beforeData)
            output.write(TimelinePage.escaped(try encoder.encode(TimelineHead(start: start, note: snapshot.note))))
            for call in snapshot.calls.suffix(limit) {
                output.write("\n")
                let row = TimelineRow(call, since: start, &redaction)
                output.write(TimelinePage.escaped(try encoder.encode(row)))
                try output.flushIfFull()
            }
            output.write(TimelinePage.afterData)
            try output.flush()
        }
    }

    /// The approximate memory size of the recording in bytes.
    var cost: Int { recording.cost }
}

extension TimelineReport: QueuedObserver {
    package var queue: ObserverQueue { recording.queue }
}
