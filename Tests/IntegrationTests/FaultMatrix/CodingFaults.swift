import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Content codings.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CodingFaults {
    private static let hello = Data("hello".utf8)
    private static let deflated = Gzip.stored(hello).dropFirst(10).dropLast(8)
    /// With the checksum of "hello" appended.
    private static let zlib = Data([0x78, 0x01]) + deflated + Data([0x06, 0x2C, 0x02, 0x15])

    private static func coded(_ coding: String, _ bytes: Data) -> LoopbackResponse {
        .data(bytes, type: "text/plain").header("Content-Encoding", coding)
    }

    /// Bytes as text for a response.
    private static func text(_ bytes: Data) -> String { String(decoding: bytes, as: UTF8.self) }

    static let cases = [
        FaultCase(
            "gzip that ends early, the length true",
            .text("hello").gzipped(.truncated),
            expecting: .ends(.fails(.contentCoding), .fails(.lostMidBody))
        ),
        FaultCase(
            "plain bytes called gzip", .text("hello").gzipped(.plain), expecting: .ends(.fails(.contentCoding))),
        FaultCase("gzip", .text("hello").gzipped(), expecting: .ends(.ok("hello")).reuses(true)),
        FaultCase(
            "gzip twice", coded("gzip, gzip", Gzip.stored(Gzip.stored(hello))), expecting: .ends(.ok("hello"))),
        FaultCase(
            "gzip and more behind it",
            .text("hello").gzipped(.trailingBytes),
            expecting: .ends(.ok("hello"), .fails(.contentCoding))
        ),
        FaultCase("gzip of no bytes at all", coded("gzip", Data()), expecting: .ends(.ok(""))),
        FaultCase(
            "gzip with a wrong checksum", .text("hello").gzipped(.checksum),
            expecting: .ends(.fails(.contentCoding))),
        FaultCase(
            "gzip with bytes broken", .text("hello").gzipped(.corrupted), expecting: .ends(.fails(.contentCoding))),
        FaultCase(
            "an unknown coding", coded("nonsense", hello), expecting: .ends(.fails(.contentCoding), .ok("hello"))),
        FaultCase("deflate as zlib has it", coded("deflate", zlib), expecting: .ends(.ok("hello"))),
        FaultCase("deflate without a frame", coded("deflate", deflated), expecting: .ends(.ok("hello"))),
        FaultCase("identity", coded("identity", hello), expecting: .ends(.ok("hello"))),
        FaultCase("none", coded("none", hello), expecting: .ends(.ok("hello"))),
        FaultCase("an unknown coding of no bytes", coded("nonsense", Data()), expecting: .ends(.ok(""))),
        FaultCase("brotli of no bytes", coded("br", Data()), expecting: .ends(.ok(""))),
        FaultCase("zstd of no bytes", coded("zstd", Data()), expecting: .ends(.ok(""))),
        FaultCase(
            "brotli", coded("br", brotli), expecting: .ends(.ok("hello"), .fails(.contentCoding), .ok(text(brotli)))),
        FaultCase(
            "brotli that ends early", coded("br", brotli.prefix(7)),
            expecting: .ends(.fails(.contentCoding), .ok(text(brotli.prefix(7))))),
        FaultCase(
            "brotli with bytes broken", coded("br", broken),
            expecting: .ends(.fails(.contentCoding), .ok(text(broken)))),
        FaultCase(
            "zstd that ends early", coded("zstd", zstd.dropLast()),
            expecting: .ends(.fails(.contentCoding), .ok(text(zstd.dropLast())))),
        FaultCase("a coding that the caller asked for", expecting: .ends(.ok("gzip 28")))
            .asking(headers: ["Accept-Encoding": "gzip"])
            .serving { _ in coded("gzip", Gzip.stored(hello)) }
            .telling { "\($0.headers["Content-Encoding"] ?? "none") \($0.data.count)" },
        FaultCase("a part of a body is asked for uncoded", expecting: .ends(.ok("identity")))
            .asking(headers: ["Range": "bytes=5-"])
            .serving { .text($0.headers["Accept-Encoding"] ?? "none") },
    ]

    @Test(arguments: cases, Wire.all)
    func `a coded body is decoded or fails`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }

    private static let brotli = Data(base64Encoded: "CwKAaGVsbG8D") ?? Data()
    private static let broken = Data([0xFF, 0xFF, 0xFF]) + brotli
    private static let zstd = Data(base64Encoded: "KLUv/SAFKQAAaGVsbG8=") ?? Data()

    /// "hello" in every supported coding.
    private static let samples = [
        "gzip": Gzip.stored(hello), "x-gzip": Gzip.stored(hello), "deflate": zlib, "identity": hello,
        "br": brotli, "zstd": zstd,
    ]

    @Test(arguments: Wire.all)
    func `only codings that can be decoded are requested`(wire: Wire) async throws {
        let server = try LoopbackServer { request in
            let coding = request.path.dropFirst()
            return coding == "which" ? .text("") : Self.coded(String(coding), Self.samples[String(coding)] ?? Data())
        }
        try await wire.withTransport { transport in
            _ = try await transport.send(server.request("which"), context: TransportContext())
            let accepted = try #require(server.requests.first).headers["Accept-Encoding"] ?? ""
            for coding in accepted.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
                #expect(Self.samples[coding] != nil, "\(coding) is not known here")
                let response = try await transport.send(server.request(coding), context: TransportContext())
                #expect(response.text == "hello", "\(coding)")
            }
        }
    }
}
