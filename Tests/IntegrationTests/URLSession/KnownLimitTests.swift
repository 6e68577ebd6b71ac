import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

#if canImport(FoundationNetworking)
/// What URLSession on Linux cannot do, each with its line in `linux.md`, checked to be still so: an entry that fails here
/// is one to delete.
@Suite(.timeLimit(.minutes(1))) struct URLSessionKnownLimits {
    enum Expected: Sendable, Equatable {
        case fails(TransportFailure)
        case succeeds(with: String)
    }

    struct Limit: Sendable, CustomTestStringConvertible {
        let line: String
        let what: String
        let answer: LoopbackResponse
        let isStill: Expected

        var testDescription: String { "\(line): \(what)" }
    }

    static let limits: [Limit] = [
        Limit(
            line: "L9",
            what: "a gzip body that is cut off looks whole",
            answer: .data(Data(base64Encoded: "H4sIAAAAAAAC/8tIzcnJVyjPL8o=") ?? Data(), type: "text/plain")
                .header("Content-Encoding", "gzip"),
            isStill: .succeeds(with: "hello wor")
        ),
        Limit(
            line: "L12",
            what: "a status line without a reason is refused",
            answer: .raw("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
            isStill: .fails(.protocolViolation)
        ),
        Limit(
            line: "L12",
            what: "lines that end without a carriage return are refused",
            answer: .raw("HTTP/1.1 200 OK\nContent-Length: 2\n\nok"),
            isStill: .fails(.protocolViolation)
        ),
        Limit(
            line: "L12",
            what: "a blank before the colon is refused",
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nName : v\r\n\r\nok"),
            isStill: .fails(.protocolViolation)
        ),
        Limit(
            line: "L12",
            what: "a header in Latin-1 is refused",
            answer: .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: ".utf8) + [0xE9] + Data("\r\n\r\nok".utf8)),
            isStill: .fails(.protocolViolation)
        ),
        Limit(
            line: "L12",
            what: "a length beside chunks is accepted",
            answer: .raw(
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
            isStill: .succeeds(with: "ok")
        ),
    ]

    @Test(arguments: limits)
    func `it is still so`(limit: Limit) async throws {
        let server = try LoopbackServer { _ in limit.answer }
        let result = try await withTransport { transport -> Expected in
            do {
                return .succeeds(with: try await transport.send(server.request()).text)
            } catch let error as NetworkError {
                return .fails(error.transportFailure ?? .unknown)
            }
        }
        #expect(result == limit.isStill)
    }

    @Test func `linux 4: an address of IPv6 as host cannot be reached, and says why`() async throws {
        let url = try #require(URL(string: "http://[::1]:8080/"))
        let error = try await withTransport { try await $0.failure(of: HTTPRequest(url: url)) }
        #expect(error.kind == .unsupported)
        #expect(error.reason.contains("CurlTransport"))
    }

    @Test func `L7: a POST on a connection that the server closes can be sent twice`() async throws {
        let server = try LoopbackServer()
        server.enqueue(LoopbackResponse.text("a").ending(.closeOnNextRequest), .text("b"))
        try await withTransport { transport in
            _ = try await transport.send(server.request(method: .post))
            let response = try await transport.send(server.request(method: .post))
            #expect(response.text == "b")
        }
        #expect(server.record.requestCount + server.record.acceptedConnections >= 4)
    }
}
#endif
