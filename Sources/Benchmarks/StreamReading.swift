import Foundation
import NetworkEngine
import NetworkEngineStreams

/// Measures how fast a streamed body is read as lines, JSON lines and events, compared with its bare chunks.
enum StreamReading {
    static func run() async throws {
        var table = Table(
            "A streamed body of 256 MiB (events with values: 32) in chunks of 64 KiB (goal: 300 MB/s, 2 MiB over the chunks), best of 3",
            columns: ["read as", "MB/s", "µs each", "peak MiB", "MiB over chunks"]
        )
        var chunksPeak = 0.0
        for form in Form.all {
            var best: (rate: Double, peak: Double) = (0, .infinity)
            for round in 1...3 {
                Progress.show("\(form.name), round \(round) of 3")
                let figures = try await measure(form)
                best = (max(best.rate, figures.rate), min(best.peak, figures.peak))
            }
            if form.reading == .chunks { chunksPeak = best.peak }
            table.add(
                form.name, best.rate.rounded(to: 0), form.microseconds(at: best.rate).rounded(to: 2),
                best.peak.rounded(to: 2),
                (best.peak - chunksPeak).rounded(to: 2))
        }
        table.print()
    }

    private static func measure(_ form: Form) async throws -> (rate: Double, peak: Double) {
        let chunk = form.chunk
        let count = (form.mebibytes << 20) / chunk.count
        var configuration = NetworkConfiguration()
        configuration.transport = Source(chunk: chunk, count: count, contentType: form.contentType)
        let provider = NetworkProvider<Thing>(configuration: configuration)
        let before = try OwnProcess.memory()
        // Resets the peak.
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let start = ContinuousClock.now
        let expected = form.reading == .chunks ? count : count * chunk.count / form.unit.utf8.count
        let units = try await form.reading.units(of: provider, expected: expected)
        let time = ContinuousClock.now - start
        guard units == expected else { throw OwnProcess.Failed(output: "\(form.name) read \(units) units") }
        return (Double(count * chunk.count) / 1e6 / time.seconds, try OwnProcess.peakMemory() - before)
    }
}

/// The form of a body, and how to read it.
private struct Form {
    enum Reading {
        case chunks, lines, jsonLines, jsonObjects, events, eventsOfResponse, eventObjects, decodedEvents

        /// Reads the whole body.
        ///
        /// - Returns: The number of chunks, lines, documents or events.
        func units(of provider: NetworkProvider<Thing>, expected: Int) async throws -> Int {
            var count = 0
            switch self {
            case .chunks: for try await _ in try await provider.stream(.thing(1)) { count += 1 }
            case .lines: for try await _ in try await provider.stream(.thing(1)).lines() { count += 1 }
            case .jsonLines:
                for try await _ in try await provider.stream(.thing(1)).jsonLines(as: Int.self) { count += 1 }
            case .jsonObjects:
                for try await _ in try await provider.stream(.thing(1)).jsonLines(as: Entry.self) { count += 1 }
            case .events:
                // The sequence would reconnect after the last event.
                for try await _ in provider.events(.thing(1)) {
                    count += 1
                    if count == expected { break }
                }
            case .eventsOfResponse:
                for try await _ in try await provider.stream(.thing(1)).events() { count += 1 }
            case .eventObjects:
                for try await _ in try await provider.stream(.thing(1)).events(as: Entry.self) { count += 1 }
            case .decodedEvents:
                for try await _ in provider.events(.thing(1), as: Entry.self) {
                    count += 1
                    if count == expected { break }
                }
            }
            return count
        }
    }

    let name: String
    let reading: Reading
    /// The repeated content of the body.
    let unit: String

    var contentType: String {
        switch reading {
        case .events, .eventsOfResponse, .eventObjects, .decodedEvents: "text/event-stream"
        default: "text/plain"
        }
    }

    /// Objects in events take longer than everything else.
    var mebibytes: Int { reading == .eventObjects || reading == .decodedEvents ? 32 : 256 }

    /// The time for one unit at a rate in MB/s.
    func microseconds(at rate: Double) -> Double {
        Double(reading == .chunks ? chunk.count : unit.utf8.count) / rate
    }

    /// About 64 KiB. Units continue in the next chunk unless their length divides it.
    var chunk: Data {
        let text = String(repeating: unit, count: (64 << 10) / unit.utf8.count + 1)
        return Data(text.utf8)
    }

    static var all: [Form] {
        var forms = [Form(name: "chunks", reading: .chunks, unit: "0123456789abcde\n")]
        for length in [16, 80, 1_000] {
            for (name, ending) in [("LF", "\n"), ("CR LF", "\r\n")] {
                let unit = String(repeating: "x", count: length - ending.utf8.count) + ending
                forms.append(Form(name: "lines of \(length) bytes, \(name)", reading: .lines, unit: unit))
            }
        }
        for length in [80, 1_000] {
            let unit = "data: " + String(repeating: "x", count: length - 8) + "\n\n"
            forms.append(Form(name: "events of \(length) bytes", reading: .events, unit: unit))
        }
        forms.append(Form(name: "JSON lines of 16 bytes", reading: .jsonLines, unit: "        1234567\n"))
        let object = #"{"id":1234567,"level":"warning","text":"disk almost full","isOpen":true}"#
        forms.append(Form(name: "JSON lines of 73 bytes, objects", reading: .jsonObjects, unit: object + "\n"))
        let event = "data: " + object + "\n\n"
        forms.append(Form(name: "events of 80 bytes, one response", reading: .eventsOfResponse, unit: event))
        forms.append(Form(name: "events of 80 bytes, objects, one response", reading: .eventObjects, unit: event))
        forms.append(Form(name: "events of 80 bytes, objects", reading: .decodedEvents, unit: event))
        return forms
    }
}

private struct Entry: Decodable {
    let id: Int
    let level: String
    let text: String
    let isOpen: Bool
}

/// Responds with the same chunk repeatedly and, like the package's transports, needs no separate task.
private struct Source: TransportDriver {
    let chunk: Data
    let count: Int
    let contentType: String

    var identity: ObjectIdentifier? { nil }

    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        context.admitted()
        let stream = BodyStream(length: nil) { [chunk, count] in
            let left = Locked(count)
            return AsyncThrowingStream {
                left.withLock { left in
                    left -= 1
                    return left < 0 ? nil : chunk
                }
            }
        }
        return HTTPResponse(
            statusCode: 200, headers: ["Content-Type": contentType], body: .stream(stream), request: request)
    }
}
