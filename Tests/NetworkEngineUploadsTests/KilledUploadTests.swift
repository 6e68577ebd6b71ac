import Foundation
import NetworkEngineUploads
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

/// Uploads in a process that is killed. The test runs again in each of the processes.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Program.canRepeatTests && CurlTransport.isAvailable, "needs processes and libcurl")
)
struct KilledUploadTests {
    private static let variable = "NETWORKENGINE_UPLOAD"
    private static let length = TestLength.isLong ? 256 << 20 : 16 << 20
    private static let kills = TestLength.isLong ? 10 : 2
    private static let cases: [(Wire, LoopbackUpload.Dialect)] =
        TestLength.isLong
        ? LoopbackUpload.Dialect.all.flatMap { dialect in Wire.every.map { ($0, dialect) } }
        : [(.urlSession, .tus), (.curl, .draft(version: 3)), (.curl, .draft(version: 6))]

    /// What a process uploads.
    private struct Order: Codable {
        var url: URL
        var file: URL
        var state: URL
        var draft: Int?
        var isCurl: Bool
        /// The number of bytes after which the process kills itself.
        var mark: Int64
    }

    @Test(arguments: cases)
    func `an upload survives the ends of its process`(wire: Wire, dialect: LoopbackUpload.Dialect) async throws {
        if try await isChild() { return }
        let folder = try TemporaryFolder()
        let uploads = LoopbackUploads(dialect, folder: folder.url)
        let server = try LoopbackServer(early: uploads.response) { _ in .status(404) }
        let file = try Self.film(in: folder.url)
        var order = Order(
            url: server.url, file: file, state: folder.url.appendingPathComponent("state"), isCurl: wire == .curl,
            mark: 0)
        if case .draft(let version) = dialect { order.draft = version }
        try await killing(order)
        let upload = try #require(uploads.all.first)
        #expect(uploads.all.count == 1 && upload.isComplete)
        #expect(try Self.areEqual(upload.file, file))
        #expect(
            Double(uploads.receivedBytes) <= 1.02 * Double(Self.length), "\(uploads.receivedBytes) of \(Self.length)")
        #expect(!FileManager.default.fileExists(atPath: order.state.path))
    }

    @Test(
        .enabled(if: TusServer.isInstalled, "tuspyserver is not installed"),
        arguments: TestLength.isLong ? Wire.every : [.curl]
    )
    func `an upload to a server that was not written here survives the ends of its process`(wire: Wire) async throws {
        if try await isChild() { return }
        let folder = try TemporaryFolder()
        let server = try await TusServer()
        let file = try Self.film(in: folder.url)
        let order = Order(
            url: server.url, file: file, state: folder.url.appendingPathComponent("state"), isCurl: wire == .curl,
            mark: 0)
        try await killing(order)
        let files = try server.files()
        #expect(files.count == 1)
        #expect(try files.first.map { try Self.areEqual($0, file) } == true)
        let count = try await server.receivedBytes()
        #expect(Double(count) <= 1.02 * Double(Self.length), "\(count) of \(Self.length)")
    }

    /// Runs uploads in processes that are killed, and then in one that isn't.
    private func killing(_ order: Order) async throws {
        var order = order
        for step in 1...Self.kills + 1 {
            let isLast = step > Self.kills
            order.mark = isLast ? .max : Int64(Self.length) * Int64(step) / Int64(Self.kills + 6)
            let text = String(decoding: try JSONEncoder().encode(order), as: UTF8.self)
            let (status, output) = try await Program.run(
                CommandLine.arguments[0], ["--testing-library", "swift-testing", "--filter", "KilledUploadTests"],
                environment: [Self.variable: text])
            #expect(output.contains(isLast ? "done\n" : "there\n") && (status == 0) == isLast, "\(status) \(output)")
        }
    }

    /// Whether this process uploads for the test.
    private func isChild() async throws -> Bool {
        guard let text = ProcessInfo.processInfo.environment[Self.variable] else { return false }
        let isFirst = Self.hasRun.withLock { hasRun in
            defer { hasRun = true }
            return !hasRun
        }
        guard isFirst else { return true }
        let order = try JSONDecoder().decode(Order.self, from: Data(text.utf8))
        var configuration = NetworkConfiguration()
        configuration.transport = (order.isCurl ? Wire.curl : .urlSession).transport
        let client = HTTPClient(baseURL: order.url, configuration: configuration)
        var options = ResumableUploadOptions()
        options.uploadProtocol = order.draft.map { .draft(version: $0) } ?? .automatic
        do {
            try await client.upload(
                .post("/files").file(order.file), resuming: .file(at: order.state), options: options
            ) {
                guard $0.completed >= order.mark else { return }
                Self.say("there")
                kill(getpid(), SIGKILL)
            }
            Self.say("done")
        } catch {
            Self.say("failed: \(error) \(error.underlying.map { "\($0)" } ?? "")")
        }
        return true
    }

    private static let hasRun = Locked(false)

    private static func say(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
    }

    /// A file with no two equal megabytes.
    private static func film(in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent("film.mov")
        try Data().write(to: url)
        let file = try FileHandle(forWritingTo: url)
        var piece = Data.sample(1 << 20)
        for number in 0..<length >> 20 {
            withUnsafeBytes(of: number) { piece.replaceSubrange(0..<8, with: $0) }
            try file.write(contentsOf: piece)
        }
        try file.close()
        return url
    }

    private static func areEqual(_ one: URL, _ other: URL) throws -> Bool {
        let (one, other) = (try FileHandle(forReadingFrom: one), try FileHandle(forReadingFrom: other))
        while true {
            let (a, b) = (try one.read(upToCount: 1 << 20), try other.read(upToCount: 1 << 20))
            if a != b { return false }
            if a?.isEmpty != false { return true }
        }
    }
}
