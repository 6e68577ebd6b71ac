import Foundation
import NetworkEngineCurl
import NetworkEngineTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled(if: CurlDecoder.isAvailable, "there is no zlib here"))
struct CurlDecoderTests {
    static let text = Data("hello hello hello hello hello hello hello hello".utf8)

    static func gzip(_ flaw: LoopbackGzipFlaw = .none, of data: Data = text) -> Data {
        guard case .data(let bytes) = LoopbackResponse.data(data).gzipped(flaw).body else { return Data() }
        return bytes
    }

    private static func decode(
        _ data: Data,
        _ codings: [String] = ["gzip"],
        step: Int = 7,
        budget: Int = .max,
        limit: Int64 = .max
    ) throws -> Data {
        let decoder = try #require(CurlDecoder(codings: codings, limit: limit))
        var result = Data()
        for start in stride(from: 0, to: data.count, by: step) {
            var rest = data[start..<min(data.count, start + step)]
            var isPaused = true
            while isPaused || !rest.isEmpty {
                let step = try rest.withUnsafeBytes { bytes in
                    try decoder.decode(bytes, budget: budget) { part in
                        result.append(contentsOf: part)
                        return budget == .max
                    }
                }
                rest = rest.dropFirst(step.taken)
                isPaused = step.isPaused
            }
        }
        try decoder.finish()
        return result
    }

    @Test(arguments: [1, 7, 1_000]) func `a body is decoded from chunks of any size`(step: Int) throws {
        #expect(try Self.decode(Self.gzip(), step: step) == Self.text)
    }

    @Test func `several gzip members are one body`() throws {
        #expect(try Self.decode(Self.gzip() + Self.gzip()) == Self.text + Self.text)
    }

    @Test func `a body that is coded twice is decoded twice`() throws {
        #expect(try Self.decode(Self.gzip(of: Self.gzip()), ["gzip", "x-gzip"]) == Self.text)
    }

    @Test(arguments: [LoopbackGzipFlaw.checksum, .corrupted, .plain, .trailingBytes])
    func `bytes that are not gzip are an error`(flaw: LoopbackGzipFlaw) {
        #expect(throws: CurlDecoder.Fault.wrong) { try Self.decode(Self.gzip(flaw)) }
    }

    @Test(arguments: 1..<20) func `a truncated body is an error at any length`(missing: Int) {
        #expect(throws: CurlDecoder.Fault.cutOff) { try Self.decode(Self.gzip().dropLast(missing)) }
    }

    @Test func `no bytes are decoded to no body`() throws {
        #expect(try Self.decode(Data()).isEmpty)
    }

    @Test(arguments: [
        "eJzLSM3JyVcozy/KSQEAGgsEXQ==",  // zlib's format, as the book has it
        "y0jNyclXKM8vykkBAA==",  // and what some servers send
    ])
    func `deflate is decoded with and without the zlib header`(base64: String) throws {
        let data = try #require(Data(base64Encoded: base64))
        #expect(try Self.decode(data, ["deflate"]) == Data("hello world".utf8))
    }

    @Test(arguments: [1, 300, 40_000]) func `work beyond the budget of one step is done by the next steps`(budget: Int)
        throws
    {
        let text = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 999) })
        let once = Self.gzip(of: text)
        #expect(try Self.decode(once, step: 100, budget: budget) == text)
        #expect(try Self.decode(Self.gzip(of: once), ["gzip", "gzip"], step: 100, budget: budget) == text)
    }

    @Test func `a step does about as much work as its budget, for any output`() throws {
        // Ten megabytes of empty members: nothing comes out.
        let empty = Self.gzip(of: Data())
        let members = (0..<10_000_000 / empty.count).reduce(into: Data()) { data, _ in data += empty }
        let bytes = Self.gzip(of: members)
        let decoder = try #require(CurlDecoder(codings: ["gzip", "gzip"]))
        let step = try bytes.withUnsafeBytes { try decoder.decode($0, budget: 1 << 20) { _ in true } }
        #expect(step.isPaused)
    }

    @Test func `the limit applies to each coding`() throws {
        let empty = Self.gzip(of: Data())
        let members = (0..<10_000).reduce(into: Data()) { data, _ in data += empty }
        #expect(throws: CurlDecoder.Fault.tooLarge) {
            try Self.decode(Self.gzip(of: members), ["gzip", "gzip"], step: 1 << 20, limit: 100_000)
        }
    }

    @Test func `three codings are refused`() {
        #expect(CurlDecoder(codings: ["gzip", "gzip", "identity"]) != nil)
        #expect(CurlDecoder(codings: ["gzip", "deflate", "gzip"]) == nil)
    }

    @Test func `an unknown coding is refused`() {
        #expect(CurlDecoder(codings: ["br"]) == nil)
        #expect(CurlDecoder(codings: ["identity"])?.isTransparent == true)
    }
}
