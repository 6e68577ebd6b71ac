import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Many concurrent exchanges of every kind, a third of them canceled at random times, over transports that are created
/// and released.
struct StressRun {
    struct Failed: Error { let reasons: [String] }

    private let sizes = [10, 100, 500, 1_000, 2_000, 3_000, 10_000, 40_000]
    private let server: LoopbackServer
    private let folder: URL
    private let file: URL
    private let subject: @Sendable () -> StressSubject
    private let timers = TimerQueue(timebase: .reading(ContinuousClock()))

    /// Runs the stress test, and throws for each failed expectation.
    ///
    /// - Parameters:
    ///   - watchingMemory: whether the process's memory must not grow during the run.
    ///   - report: the path of a file for the failed expectations.
    static func run(
        _ length: StressLength,
        seed: UInt64,
        watchingMemory: Bool = false,
        reportingTo report: String,
        _ subject: @escaping @Sendable () -> StressSubject
    ) async throws {
        var configuration = LoopbackConfiguration()
        configuration.requestRecordingLimit = 0
        let server = try LoopbackServer(configuration) { StressKind.answer($0) }
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let file = folder.appendingPathComponent("upload")
        try StressKind.content(5_000).write(to: file)
        let run = StressRun(server: server, folder: folder, file: file, subject: subject)
        // Allocates everything that is created once and kept, before the descriptors are counted.
        _ = try await run.exchanges(.exchanges(200), seed: seed)
        try await server.wait { $0.openConnections == 0 }
        let descriptors = try openDescriptors().count
        var (reasons, memory) = try await run.exchanges(length, seed: seed + 1)
        try await server.wait { $0.openConnections == 0 }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        if left != ["upload"] { reasons.append("\(left.count - 1) files were left behind") }
        if let left = try await leftOpen(beyond: descriptors) { reasons.append(left) }
        if watchingMemory, let growth = memory.growth, growth > 8 { reasons.append("\(growth) MiB more at the end") }
        guard !reasons.isEmpty else { return }
        try Data(reasons.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: report))
        throw Failed(reasons: reasons)
    }

    /// Lists the open descriptors, if there are too many.
    ///
    /// The platform's session closes its sockets some time after its invalidation, later on a busy machine.
    private static func leftOpen(beyond expected: Int) async throws -> String? {
        let begin = ContinuousClock.now
        while true {
            let open = try openDescriptors()
            if open.count <= expected + 4 { return nil }
            guard ContinuousClock.now - begin < .seconds(20) else {
                return "\(open.count - expected) descriptors were left open, of \(open.sorted())"
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// What the open descriptors refer to.
    private static func openDescriptors() throws -> [String] {
        let folder = "/dev/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).map {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) ?? "closed"
        }
    }

    /// Runs 64 at a time, with a new transport for every 500. Stops after the first 500 with a failure.
    private func exchanges(_ length: StressLength, seed: UInt64) async throws -> (reasons: [String], memory: Residence)
    {
        let begin = ContinuousClock.now
        var memory = Residence()
        var count = 0
        while !length.isOver(after: count, since: begin) {
            let (start, subject) = (count, subject())
            var reasons: [String] = []
            await withTaskGroup(of: String?.self) { group in
                for lane in 0..<64 {
                    group.addTask {
                        for number in stride(from: start + lane, to: start + 500, by: 64) {
                            var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
                            if let reason = await exchange(through: subject.transport, &random) { return reason }
                        }
                        return nil
                    }
                }
                for await reason in group { if let reason { reasons.append(reason) } }
            }
            subject.shutDown()
            guard reasons.isEmpty else { return (reasons, memory) }
            count += 500
            try memory.note()
        }
        if case .time = length { print("\(count) exchanges; \(memory)") }
        return ([], memory)
    }

    /// Makes one exchange. Returns its failure, if any.
    private func exchange(through transport: any Transport, _ random: inout SeededGenerator) async -> String? {
        let kind = StressKind.allCases.randomElement(using: &random) ?? .plain
        let size = kind == .uploadFile ? 5_000 : sizes.randomElement(using: &random) ?? 10
        let place = folder.appendingPathComponent(UUID().uuidString)
        defer { if kind == .download { try? FileManager.default.removeItem(at: place) } }
        let isTimed = Int.random(in: 0..<10, using: &random) == 0
        let control = ExchangeTimeout(
            // Nothing takes half a minute here: anything that does hangs.
            timeout: isTimed ? .microseconds(Int.random(in: 0...20_000, using: &random)) : .seconds(30),
            timers: timers
        )
        defer { control.finish() }
        let context = TransportContext(streamsBody: kind == .download)
            .limited(by: control)
        let request = request(kind, size: size)
        let task = Task {
            var response = try await transport.send(request, context: context)
            guard case .stream(let stream) = response.body else { return response }
            let file = try BodyFile.creating(place)
            for try await piece in stream { try file.write(piece) }
            response.body = .file(place)
            return response
        }
        let isCancelled = Int.random(in: 0..<3, using: &random) == 0
        if isCancelled {
            // A random delay, not a wait for an event.
            try? await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &random)))
            task.cancel()
        }
        switch await task.result {
        case .success(let response):
            return kind.accepts(response, size: size) ? nil : "\(kind): \(response)"
        case .failure(is CancellationError):
            return isCancelled ? nil : "\(kind): cancelled by nobody"
        case .failure(let error):
            guard let error = error as? NetworkError, kind.accepts(error.transportFailure, isTimed: isTimed) else {
                return "\(kind): \(error)"
            }
            return nil
        }
    }

    private func request(_ kind: StressKind, size: Int) -> HTTPRequest {
        let content = kind.sendsBody ? StressKind.content(size) : Data()
        let body: RequestBody =
            switch kind {
            case .upload, .redirectUpload: .data(content)
            case .uploadFile: .file(file)
            case .uploadStream:
                .stream(
                    BodyStream(length: Int64(size)) {
                        AsyncThrowingStream { continuation in
                            continuation.yield(content.prefix(size / 2))
                            continuation.yield(content.dropFirst(size / 2))
                            continuation.finish()
                        }
                    }
                )
            default: .absent
            }
        var components = URLComponents(url: server.url, resolvingAgainstBaseURL: false)
        components?.path = "/" + kind.rawValue
        components?.query = String(size)
        return HTTPRequest(method: body.isAbsent ? .get : .post, url: components?.url ?? server.url, body: body)
    }
}
