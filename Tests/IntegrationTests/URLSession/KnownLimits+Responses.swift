import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
extension URLSessionKnownLimits {
    /// Responses that only this client rejects, or that only this client accepts.
    static let inResponses = [
        Limit(
            "Content codings", "a gzip body that is cut off looks whole",
            reading: .data(Data(base64Encoded: "H4sIAAAAAAAC/8tIzcnJVyjPL8o=") ?? Data())
                .header("Content-Encoding", "gzip"),
            is: "hello wor"),
        Limit(
            "Responses that are refused", "a status line without a reason is refused",
            refusing: "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
        Limit(
            "Responses that are refused", "lines that end without a carriage return are refused",
            refusing: "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"),
        Limit("Responses that are refused", "a blank before the colon is refused", refusing: head("Name : v")),
        Limit(
            "Responses that are refused", "a name and a value without a blank between them are refused",
            refusing: head("Name:v")),
        Limit("Responses that are refused", "a value of blanks is refused", refusing: head("Name:  ")),
        Limit(
            "Responses that are refused", "a header in Latin-1 is refused", refusing: head(Data("Name: ".utf8) + [0xE9])
        ),
        Limit(
            "Responses that are refused", "a header line of 110,000 bytes is refused",
            refusing: head("A: " + text(110_000))),
        Limit(
            "Responses that are refused", "headers of 310,000 bytes are refused",
            refusing: head((0..<31).map { "A\($0): " + text(10_000) }.joined(separator: "\r\n"))),
        Limit(
            "Response heads", "a status line in other letters is read",
            reading: .raw("Http/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), is: "ok"),
        Limit("Response heads", "a connection is used again after a response with a length beside chunks") {
            let raw = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
            let server = try LoopbackServer { _ in .raw(raw, then: .keepAlive) }
            try await withTransport { transport in
                for _ in 0..<5 { _ = try await transport.send(server.request()) }
            }
            // The platform reports a task's end before its connection can be reused.
            return server.record.acceptedConnections < 5
        },
        Limit(
            "Response heads", "5,000 fields are read before they can be refused",
            reading: .raw(head((0..<5_000).map { "A\($0): b" }.joined(separator: "\r\n"))), is: "ok"),
    ]

    /// Redirects that are reported only after their bodies have ended, and never if they lead nowhere.
    static let redirects = [
        Limit("Limits of redirects", "a 3xx without a usable Location loses its body") {
            let server = try LoopbackServer()
            server.enqueue(
                .text("moved", status: 302), LoopbackResponse.text("moved", status: 302).header("Location", "http://["))
            return try await withTransport { transport in
                let responses = [
                    try await transport.send(server.request()), try await transport.send(server.request()),
                ]
                return responses.allSatisfy { $0.statusCode == 302 && $0.text.isEmpty }
            }
        }
    ]

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func head(_ field: some DataProtocol) -> Data {
        Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n".utf8) + Data(field) + Data("\r\n\r\nok".utf8)
    }

    private static func head(_ field: String) -> Data { head(Data(field.utf8)) }
}

extension URLSessionKnownLimits.Limit {
    /// Checks that a valid response is rejected.
    fileprivate init(_ heading: String, _ what: String, refusing response: Data) {
        self.init(heading, what) {
            let server = try LoopbackServer { _ in .raw(response) }
            let error = try await withTransport { try await $0.failure(of: server.request()) }
            return error.transportFailure == .protocolViolation || error.transportFailure == .limitExceeded
        }
    }

    fileprivate init(_ heading: String, _ what: String, refusing response: String) {
        self.init(heading, what, refusing: Data(response.utf8))
    }

    /// Checks that an invalid response is accepted.
    fileprivate init(_ heading: String, _ what: String, reading response: LoopbackResponse, is text: String) {
        self.init(heading, what) {
            let server = try LoopbackServer { _ in response }
            return try await withTransport { try await $0.send(server.request()).text } == text
        }
    }
}
#endif
