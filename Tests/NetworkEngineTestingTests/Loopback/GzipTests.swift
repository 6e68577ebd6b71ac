import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if os(macOS) || os(Linux)
@Suite(.timeLimit(.minutes(5)))
struct GzipTests {
    /// Returns the output of `gzip`, and whether it succeeded.
    private static func unzipped(_ member: Data) throws -> (bytes: Data, isValid: Bool) {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: Program.path(of: "gzip") ?? "")
        process.arguments = ["-dc"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        Thread.detachNewThread {
            try? input.fileHandleForWriting.write(contentsOf: member)
            try? input.fileHandleForWriting.close()
        }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (bytes, process.terminationStatus == 0)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 200_000])
    func `stored bytes are decoded`(count: Int) throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) })
        let result = try Self.unzipped(Gzip.stored(data))
        #expect(result.bytes == data && result.isValid)
    }

    @Test(arguments: [0, 1, 2, 258, 259, 260, 1_000_000])
    func `zeros are decoded with length and checksum`(count: Int) throws {
        let result = try Self.unzipped(Gzip.zeros(count: count))
        #expect(result.bytes == Data(count: count) && result.isValid)
    }

    @Test func `a bomb of 64 MiB has about 64 KiB`() {
        #expect((60 << 10)...(68 << 10) ~= Gzip.zeros(count: 64 << 20).count)
    }

    @Test(arguments: LoopbackGzipFlaw.allCases)
    func `each flaw except none is an error for gzip`(flaw: LoopbackGzipFlaw) throws {
        let response = LoopbackResponse.text("hello, hello").gzipped(flaw)
        guard case .data(let body) = response.body else { return #expect(Bool(false), "no data") }
        let result = try Self.unzipped(body)
        #expect(result.isValid == (flaw == .none) && response.headers["Content-Encoding"] == "gzip")
    }

    @Test func `the checksum of zeros equals that of the written-out bytes`() {
        #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
        for count in [0, 1, 2, 255, 1000] {
            #expect(CRC32.ofZeros(count: count) == CRC32.of([UInt8](repeating: 0, count: count)))
        }
    }
}
#endif
