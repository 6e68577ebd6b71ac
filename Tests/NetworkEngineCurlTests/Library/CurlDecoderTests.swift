import Foundation
import TestSupport
import Testing

@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

@Suite(
    .timeLimit(.minutes(5)), .enabled(if: CurlDecoder(codings: ["gzip"]) != nil, "there is no zlib here"),
    .disabled(if: ThreadSanitizer.isWatching, "runs on one thread"))
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
        "eJzLSM3JyVcozy/KSQEAGgsEXQ==",  // zlib format, as specified
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
        // Ten megabytes of empty members, which decode to nothing.
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
        #expect(CurlDecoder(codings: ["compress"]) == nil)
        #expect(CurlDecoder(codings: ["identity"])?.isTransparent == true)
    }

    // MARK: Brotli and Zstandard

    private static let coders = Coder.available.filter { CurlDecoder(codings: [$0.rawValue]) != nil }

    @Test func `what the system can decode is offered`() {
        let names = CurlDecoder.offer.split(separator: ", ").map(String.init)
        #expect(names.starts(with: ["gzip", "deflate"]))
        #expect(names.allSatisfy { CurlDecoder(codings: [$0]) != nil })
        #expect(["br", "zstd"].allSatisfy { names.contains($0) == (CurlDecoder(codings: [$0]) != nil) })
    }

    @Test(arguments: coders, [1, 7, 1_000])
    func `a body in any coding is decoded from chunks of any size`(coder: Coder, step: Int) throws {
        let text = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 999) })
        for data in [Self.text, text] {
            let coded = try #require(coder.encoded(data))
            #expect(try Self.decode(coded, [coder.rawValue], step: step) == data)
            let twice = try #require(coder.encoded(coded))
            #expect(try Self.decode(twice, [coder.rawValue, coder.rawValue], step: step) == data)
        }
        #expect(try Self.decode(Data(), [coder.rawValue]).isEmpty)
    }

    @Test(arguments: coders, 1..<20)
    func `a truncated body in any coding is an error at any length`(coder: Coder, missing: Int) throws {
        let coded = try #require(coder.encoded(Self.text))
        let fault = #expect(throws: CurlDecoder.Fault.self) {
            try Self.decode(coded.dropLast(min(missing, coded.count - 1)), [coder.rawValue])
        }
        #expect(fault == .cutOff)
    }

    @Test(arguments: coders) func `bytes behind a body or in place of it are an error`(coder: Coder) throws {
        let coded = try #require(coder.encoded(Self.text))
        for step in [1, 7, 1_000] {
            #expect(throws: CurlDecoder.Fault.wrong) {
                try Self.decode(coded + Data("more".utf8), [coder.rawValue], step: step)
            }
        }
        #expect(throws: CurlDecoder.Fault.self) {
            try Self.decode(Data(repeating: 0xFF, count: 100), [coder.rawValue])
        }
    }

    @Test(arguments: coders) func `a small body that becomes a large one ends at the limit`(coder: Coder) throws {
        let bomb = try #require(coder.encoded(Data(count: 16 << 20)))
        // The tests' gzip encoder doesn't compress.
        #expect(coder == .gzip || bomb.count < 100_000)
        #expect(throws: CurlDecoder.Fault.tooLarge) {
            try Self.decode(bomb, [coder.rawValue], step: 1 << 20, limit: 1 << 20)
        }
        #expect(try Self.decode(bomb, [coder.rawValue], step: 1 << 20, limit: 16 << 20).count == 16 << 20)
    }

    @Test(arguments: coders, [300, 40_000])
    func `work in any coding beyond the budget of a step is done by the next steps`(coder: Coder, budget: Int) throws {
        let text = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 999) })
        let once = try #require(coder.encoded(text))
        #expect(try Self.decode(once, [coder.rawValue], step: 100, budget: budget) == text)
    }

    @Test(.enabled(if: coders.contains(.zstd), "the system has no Zstandard"))
    func `several Zstandard frames are one body, and a window above eight megabytes is refused`() throws {
        let frame = try #require(Coder.zstd.encoded(Self.text))
        #expect(try Self.decode(frame + frame, ["zstd"]) == Self.text + Self.text)
        let data = Data(count: 32 << 20)
        let (fitting, large) = (
            try #require(Coder.zstd(data, windowBits: 23)), try #require(Coder.zstd(data, windowBits: 24))
        )
        #expect(try Self.decode(fitting, ["zstd"], step: 1 << 20) == data)
        #expect(throws: CurlDecoder.Fault.wrong) { try Self.decode(large, ["zstd"], step: 1 << 20) }
    }

    @Test(arguments: coders) func `noise after the beginning of a body never runs without end`(coder: Coder) throws {
        var random = SeededGenerator(seed: 5)
        let coded = try #require(coder.encoded(Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })))
        for _ in 0..<500 {
            var bytes = coded
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? Self.decode(bytes, [coder.rawValue], step: 50, budget: 5_000, limit: 1 << 20)
        }
    }
}
