import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct BodyPumpTests {
    /// A stream with room for a number of bytes, which takes at most one chunk at a time.
    private struct Sink {
        var bytes = Data()
        var room = 0
        var piece = Int.max

        mutating func fill(from pump: inout BodyPump) -> BodyPump.Step {
            var sink = self
            defer { self = sink }
            // Both closures see the same stream.
            return withUnsafeMutablePointer(to: &sink) { sink in
                pump.fill(while: { sink.pointee.room > 0 }) { bytes in
                    let count = min(bytes.count, sink.pointee.room, sink.pointee.piece)
                    sink.pointee.bytes.append(contentsOf: bytes[..<count])
                    sink.pointee.room -= count
                    return count
                }
            }
        }
    }

    private let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

    @Test(arguments: [1_000, 65_536, 70_000, 200_000])
    func `a body is written as far as there is room, and goes on where it stopped`(room: Int) {
        var pump = BodyPump(UploadBody(.data(content)))
        var sink = Sink(piece: 999)
        var steps: Set<BodyPump.Step> = []
        while sink.bytes.count < content.count, steps.count < 2 {
            sink.room = room
            steps.insert(sink.fill(from: &pump))
        }
        #expect(sink.bytes == content)
    }

    @Test func `a body ends with its last byte`() {
        var pump = BodyPump(UploadBody(.data(Data("abc".utf8))))
        var sink = Sink()
        let full = sink.fill(from: &pump)
        sink.room = 3
        let end = sink.fill(from: &pump)
        #expect(full == .full && end == .end && sink.bytes == Data("abc".utf8))
    }

    @Test func `a stream that takes no more ends the pump`() {
        var pump = BodyPump(UploadBody(.data(content)))
        let step = pump.fill(while: { true }) { _ in -1 }
        #expect(step == .end)
    }

    @Test func `a file that has grown gives the bytes that were announced`() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("body")
        try content.write(to: url)
        var pump = BodyPump(UploadBody(.file(try BodyFile.reading(url))))
        try (content + content).write(to: url, options: [])
        var sink = Sink(room: .max)
        let step = sink.fill(from: &pump)
        #expect(step == .end && sink.bytes == content)
    }

    @Test func `a body that has become shorter is unreadable, and has the reason`() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("body")
        try content.write(to: url)
        let body = UploadBody(.file(try BodyFile.reading(url)))
        var pump = BodyPump(body)
        var sink = Sink(room: 65_536)
        let full = sink.fill(from: &pump)
        try FileHandle(forWritingTo: url).truncate(atOffset: 0)
        sink.room = content.count
        let step = sink.fill(from: &pump)
        #expect(full == .full && step == .unreadable && body.failure != nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct BodyFeederTests {
    private final class Feeder: BodyFeeder {
        let stops = Locked(0)

        func stop() { stops.withLock { $0 += 1 } }
    }

    private let body = UploadBody(.data(Data("a".utf8)))

    @Test func `the end of the exchange stops the feeder, and one that comes later does not start`() {
        let (feeder, late) = (Feeder(), Feeder())
        let starts = body.fed(by: feeder)
        body.stop()
        body.stop()
        let startsLate = body.fed(by: late)
        #expect(starts && !startsLate && feeder.stops.withLock { $0 } == 1)
    }

    @Test func `the feeder of a second sending replaces that of the first`() {
        let (first, second) = (Feeder(), Feeder())
        let starts = [body.fed(by: first), body.fed(by: second)]
        #expect(starts == [true, true])
        #expect(first.stops.withLock { $0 } == 1 && second.stops.withLock { $0 } == 0)
    }
}
