import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation

@Suite(.timeLimit(.minutes(5)), .enabled(if: Deflater.isAvailable, "the system has no zlib")) struct BodyCodingTests {
    private func member(_ text: String, _ format: Deflater.Format = .gzip) throws -> Data {
        let deflater = try #require(Deflater(format))
        return try deflater.deflate(Data(text.utf8)) + deflater.finish()
    }

    @Test func `all members of a gzip body are read`() throws {
        let long = String(repeating: "all work and no play ", count: 10_000)
        let body = try member("first, ") + member("") + member(long)
        #expect(BodyCoding.plain(body, coding: "gzip") == Data(("first, " + long).utf8))
    }

    @Test func `a body with anything else after its end cannot be read`() throws {
        let whole = try member("text")
        #expect(BodyCoding.plain(whole + Data("more".utf8), coding: "gzip") == nil)
        #expect(BodyCoding.plain(whole + whole.dropLast(), coding: "gzip") == nil)
        #expect(try BodyCoding.plain(whole + member("text", .zlib), coding: "gzip") == nil)
        let deflated = try member("text", .zlib)
        #expect(BodyCoding.plain(deflated, coding: "deflate") == Data("text".utf8))
        #expect(BodyCoding.plain(deflated + deflated, coding: "deflate") == nil)
        #expect(BodyCoding.plain(deflated + whole, coding: "deflate") == nil)
    }
}
