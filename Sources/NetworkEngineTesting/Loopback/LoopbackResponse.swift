public import Foundation
public import NetworkEngine

/// An answer of a loopback server: what is sent, how it is cut and delayed, and what goes wrong meanwhile.
///
/// ```swift
/// server.enqueue(
///     .status(503),
///     .json(#"{"id": 7}"#).delayed(.milliseconds(50)),
///     .text("hello").chunked(size: 2).fault(.reset, at: .responseBody(afterBytes: 3)))
/// ```
public struct LoopbackResponse: Sendable {
    public var status: Int
    /// The words behind the status; `nil` for the usual ones.
    public var reason: String?
    public var headers: HTTPHeaders
    public var body: LoopbackBody
    public var framing = LoopbackFraming.automatic
    /// Fields behind the last chunk.
    public var trailers = HTTPHeaders()
    /// Responses with a status of 1xx that go ahead.
    public var interim: [Interim] = []
    public var pacing: LoopbackPacing?
    /// How the request's body is read; `nil` for as fast as it comes.
    public var intake: LoopbackPacing?
    /// What happens meanwhile, in the order of the moments.
    public internal(set) var incidents: [LoopbackIncident] = []
    public var ending = LoopbackEnding.keepAlive
    /// Whether the answer is sent as soon as the head was read; the connection is closed when a body was not read by then.
    public var isEarly = false
    /// Whether `Expect: 100-continue` is answered before the body is read.
    public var answersExpectation = true
    /// The bytes sent in place of status line and fields.
    public var rawHead: Data?

    /// An informational response.
    public struct Interim: Sendable {
        public var status: Int
        public var headers: HTTPHeaders

        public init(_ status: Int, headers: HTTPHeaders = [:]) {
            self.status = status
            self.headers = headers
        }
    }

    public init(status: Int = 200, headers: HTTPHeaders = [:], body: LoopbackBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    // MARK: Making one

    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Self {
        Self(status: status, headers: headers)
    }

    public static func data(_ data: Data, type: String = "application/octet-stream", status: Int = 200) -> Self {
        Self(status: status, headers: ["Content-Type": type], body: .data(data))
    }

    public static func text(_ text: String, status: Int = 200) -> Self {
        data(Data(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    public static func json(_ json: String, status: Int = 200) -> Self {
        data(Data(json.utf8), type: "application/json", status: status)
    }

    public static func redirect(to location: String, status: Int = 302) -> Self {
        .status(status, headers: ["Location": location])
    }

    /// The given bytes and nothing else, then the end of the connection unless said otherwise.
    ///
    /// What is behind the first empty line counts as the body.
    public static func raw(_ bytes: Data, then ending: LoopbackEnding = .close) -> Self {
        var response = Self()
        let end = bytes.range(of: Data("\r\n\r\n".utf8))?.upperBound ?? bytes.endIndex
        response.rawHead = bytes[..<end]
        response.body = .data(Data(bytes[end...]))
        response.ending = ending
        return response
    }

    public static func raw(_ text: String, then ending: LoopbackEnding = .close) -> Self {
        raw(Data(text.utf8), then: ending)
    }

    /// Bytes without an end, sent as fast as the client reads.
    public static func endless(_ pattern: String = "0123456789abcdef") -> Self {
        Self(headers: ["Content-Type": "application/octet-stream"], body: .repeating(Data(pattern.utf8), count: nil))
    }

    /// No answer, but a fault.
    public static func fault(_ fault: LoopbackFault, at point: LoopbackPoint = .responseStart) -> Self {
        Self().fault(fault, at: point)
    }
}
