import Foundation
import NetworkEngineCurl
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5)), .enabled(if: CurlDecoder.isAvailable, "there is no zlib here"))
struct CurlDecoderTests {
    static let text = Data("hello hello hello hello hello hello hello hello".utf8)

    static func gzip(_ flaw: LoopbackGzipFlaw = .none, of data: Data = text) -> Data {
        guard case .data(let bytes) = LoopbackResponse.data(data).gzipped(flaw).body else { return Data() }
        return bytes
    }

    private static func decode(_ data: Data, _ codings: [String] = ["gzip"], step: Int = 7) throws -> Data {
        let decoder = try #require(CurlDecoder(codings: codings))
        var result = Data()
        for start in stride(from: 0, to: data.count, by: step) {
            try data[start..<min(data.count, start + step)].withUnsafeBytes {
                try decoder.decode($0) { result.append(contentsOf: $0) }
            }
        }
        try decoder.finish()
        return result
    }

    @Test(arguments: [1, 7, 1_000]) func `pieces of any size make the whole`(step: Int) throws {
        #expect(try Self.decode(Self.gzip(), step: step) == Self.text)
    }

    @Test func `several members in a row are one body`() throws {
        #expect(try Self.decode(Self.gzip() + Self.gzip()) == Self.text + Self.text)
    }

    @Test func `matrix 32: what was coded twice is undone twice`() throws {
        #expect(try Self.decode(Self.gzip(of: Self.gzip()), ["gzip", "x-gzip"]) == Self.text)
    }

    @Test(arguments: [LoopbackGzipFlaw.checksum, .corrupted, .plain, .trailingBytes])
    func `matrix 30, 32: what is not gzip is wrong`(flaw: LoopbackGzipFlaw) {
        #expect(throws: CurlDecoder.Fault.wrong) { try Self.decode(Self.gzip(flaw)) }
    }

    @Test(arguments: 1..<20) func `L9, matrix 29: what was cut off is noticed, wherever that was`(missing: Int) {
        #expect(throws: CurlDecoder.Fault.cutOff) { try Self.decode(Self.gzip().dropLast(missing)) }
    }

    @Test func `no bytes at all are no body`() throws {
        #expect(try Self.decode(Data()).isEmpty)
    }

    @Test(arguments: [
        "eJzLSM3JyVcozy/KSQEAGgsEXQ==",  // zlib's format, as the book has it
        "y0jNyclXKM8vykkBAA==",  // and what some servers send
    ])
    func `matrix 32: deflate comes in two shapes`(base64: String) throws {
        let data = try #require(Data(base64Encoded: base64))
        #expect(try Self.decode(data, ["deflate"]) == Data("hello world".utf8))
    }

    @Test func `an unknown coding is not taken`() {
        #expect(CurlDecoder(codings: ["br"]) == nil)
        #expect(CurlDecoder(codings: ["identity"])?.isTransparent == true)
    }
}
