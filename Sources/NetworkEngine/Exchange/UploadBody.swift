import Foundation

/// A request's body, ready to be read from its start any number of times.
package final class UploadBody: RequestUpload {
    enum Source: Sendable {
        case data(Data)
        case file(BodyFile)
        case segments(UploadSegments)
    }

    private struct Meter {
        var sent: Int64 = 0
        var failure: (any Error)?
        var isWantedAgain = false
        /// Copies the body into the stream of the latest send.
        var feeder: (any BodyFeeder)?
        var isStopped = false
    }

    let source: Source
    package let length: Int64
    private let meter = Locked(Meter())

    init(_ source: Source) {
        self.source = source
        switch source {
        case .data(let data): length = Int64(data.count)
        case .file(let file): length = file.length
        case .segments(let segments): length = segments.length
        }
    }

    package var announcedLength: Int64? { length }
    /// The maximum number of bytes that were read for one send.
    package var sent: Int64 { meter.withLock { $0.sent } }
    /// The error that occurred while the body was read.
    package var failure: (any Error)? { meter.withLock { $0.failure } }

    package func note(sent count: Int64) { meter.withLock { $0.sent = max($0.sent, count) } }
    /// Whether the platform wants to resend the body.
    var isWantedAgain: Bool { meter.withLock { $0.isWantedAgain } }

    /// Records that the platform wants to resend the body.
    func noteWantedAgain() { meter.withLock { $0.isWantedAgain = true } }

    /// Returns whether the platform has requested a resend since the last call.
    func takeWantedAgain() -> Bool {
        meter.withLock { meter in
            defer { meter.isWantedAgain = false }
            return meter.isWantedAgain
        }
    }

    package func note(failure: any Error) { meter.withLock { $0.failure = failure } }

    /// Replaces the feeder of an earlier send.
    ///
    /// - Returns: whether the feeder may start. Otherwise the exchange is over.
    func fed(by feeder: any BodyFeeder) -> Bool {
        let (former, mayStart) = meter.withLock { meter -> ((any BodyFeeder)?, Bool) in
            guard !meter.isStopped else { return (nil, false) }
            defer { meter.feeder = feeder }
            return (meter.feeder, true)
        }
        former?.stop()
        return mayStart
    }

    package func stop() {
        let feeder = meter.withLock { meter in
            meter.isStopped = true
            return meter.feeder.take()
        }
        feeder?.stop()
    }

    /// Copies bytes starting at an offset. Exactly `length` bytes can be read; otherwise it throws.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = min(Int64(buffer.count), length - offset)
        guard count > 0 else { return 0 }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)])
        switch source {
        case .data(let data):
            let start = data.startIndex + Int(offset)
            data.copyBytes(to: part, from: start..<start + part.count)
            return part.count
        case .file(let file):
            let read = try file.read(into: part, at: offset)
            guard read > 0 else { throw BodyFile.ShorterThanAnnounced() }
            return read
        case .segments(let segments): return try segments.read(into: part, at: offset)
        }
    }
}

/// Copies a body into the stream of one send.
protocol BodyFeeder: AnyObject, Sendable {
    /// Called when nothing reads the stream anymore.
    func stop()
}

/// A request's body, from the point of view of its exchange.
package protocol RequestUpload: AnyObject, Sendable {
    /// The length that the request announces; `nil` if unknown.
    var announcedLength: Int64? { get }
    /// The number of bytes read for sending, in the furthest reading.
    var sent: Int64 { get }
    /// The reason why the body could not be read.
    var failure: (any Error)? { get }
    /// Called when the exchange is over and nothing more is read.
    func stop()
}
