import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The headers of a response.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HeaderFaults {
    /// A five-byte response with an addition to its head.
    private static func head(_ lines: String) -> LoopbackResponse { head(Data(lines.utf8)) }

    private static func head(_ lines: Data) -> LoopbackResponse {
        let start = Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n".utf8)
        return .raw(start + lines + Data("\r\n\r\nhello".utf8), then: .keepAlive)
    }

    private static func long(_ count: Int) -> String { String(repeating: "v", count: count) }
    private static let tellsLength: @Sendable (HTTPResponse) -> String = { "\($0.headers["X-Long"]?.count ?? 0)" }
    private static let tellsField: @Sendable (HTTPResponse) -> String = { $0.headers["X-A"] ?? "none" }

    static let sizes = [
        FaultCase("a header of 90 KB", head("X-Long: " + long(90_000)), expecting: .ends(.ok("90000")))
            .telling(tellsLength),
        FaultCase(
            "a header of 2 MB", head("X-Long: " + long(2_000_000)), expecting: .ends(.fails(.limitExceeded))),
        FaultCase(
            "5 MB of headers",
            head((0..<500).map { "X-\($0): \(long(10_000))" }.joined(separator: "\r\n")),
            expecting: .ends(.fails(.limitExceeded))
        ),
    ]

    static let broken = [
        FaultCase(
            "no colon", head("nothing of it"), expecting: .ends(.ok("hello"), .fails(.protocolViolation))),
        FaultCase(
            "a blank before the colon", head("X-A : v"), expecting: .ends(.ok("hello"), .fails(.protocolViolation))
        ),
        FaultCase("no name", head(": v"), expecting: .ends(.ok("hello"), .fails(.protocolViolation))),
        FaultCase(
            "a name with a blank in it", head("X A: v"), expecting: .ends(.ok("hello"), .fails(.protocolViolation))
        ),
        FaultCase(
            "a name that is no token", head("X(A): v"), expecting: .ends(.ok("hello"), .fails(.protocolViolation))),
        FaultCase("no blank behind the colon", head("X-A:v"), expecting: .ends(.ok("v"))).telling(tellsField),
        FaultCase("a value of blanks", head("X-A:  "), expecting: .ends(.ok(""))).telling(tellsField),
        FaultCase("an empty value", head("X-A:"), expecting: .ends(.ok(""))).telling(tellsField),
        FaultCase(
            "a value that goes on in the next line", head("X-A: a\r\n  b"),
            expecting: .ends(.ok("a b"), .fails(.protocolViolation))
        ).telling(tellsField),
        FaultCase(
            "a first line that begins with a blank",
            raw: "HTTP/1.1 200 OK\r\n X-A: v\r\nContent-Length: 5\r\n\r\nhello",
            expecting: .ends(.ok("hello"), .fails(.protocolViolation))
        ),
        FaultCase("NUL in a value", head("X-A: a\0b"), expecting: .ends(.fails(.protocolViolation))),
        // RFC 9112 2.2 allows a recipient to treat it as the end of a line.
        FaultCase(
            "bare line feeds",
            raw: "HTTP/1.1 200 OK\nContent-Length: 5\nX-A: v\n\nhello",
            expecting: .ends(.ok("v"), .fails(.protocolViolation))
        ).telling(tellsField),
        FaultCase(
            "a bare carriage return in a value", head("X-A: a\rX-B: b"),
            expecting: .ends(.ok("a X-B: b"), .fails(.protocolViolation))
        ).telling(tellsField),
        FaultCase("blanks behind a value", head("X-A: a b \t "), expecting: .ends(.ok("a b"))).telling(tellsField),
        FaultCase("a value in UTF-8", head("X-A: grün"), expecting: .ends(.ok("grün"))).telling(tellsField),
        FaultCase(
            "a value in Latin-1", head(Data("X-A: gr".utf8) + [0xFC] + Data("n".utf8)),
            expecting: .ends(.ok("grün"))
        ).telling(tellsField),
    ]

    static let several = [
        FaultCase("a name twice", head("X-A: 1\r\nx-a: 2"), expecting: .ends(.ok("1, 2"))).telling(tellsField),
        FaultCase(
            "cookies",
            head("Set-Cookie: a=1; Expires=Wed, 21 Oct 2030 07:28:00 GMT\r\nSet-Cookie: b=2"),
            expecting: .ends(.ok("a=1; Expires=Wed, 21 Oct 2030 07:28:00 GMT | b=2"))
        ).telling { $0.headers.values(for: "Set-Cookie").joined(separator: " | ") },
        FaultCase("a name in another case", head("x-a: v"), expecting: .ends(.ok("v"))).telling(tellsField),
    ]

    @Test(arguments: sizes + broken + several, Wire.all)
    func `a head is read by the rules of HTTP or fails`(fault: FaultCase, wire: Wire) async throws {
        try await FaultRun.check(fault, over: wire)
    }
}
