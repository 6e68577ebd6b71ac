public import Foundation
public import NetworkEngine
public import NetworkEngineMocks

/// A response of a loopback server: its content, framing, pacing and faults.
///
/// ```swift
/// server.enqueue(
///     .status(503),
///     .json(#"{"id": 7}"#).delayed(by: .milliseconds(50)),
///     .text("hello").chunked(size: 2).fault(.reset, at: .responseBody(afterBytes: 3)))
/// ```
public struct LoopbackResponse: HTTPAnswer {
    /// The status.
    public var status: Int
    /// The reason phrase; `nil` for the usual one.
    public var reason: String?
    /// The header fields. The framing and the ending add theirs.
    public var headers: HTTPHeaders
    /// The body.
    public var body: LoopbackBody
    /// How the end of the body is declared.
    public var framing = LoopbackFraming.automatic
    /// The trailer fields after the last chunk.
    public var trailers = HTTPHeaders()
    /// Informational (1xx) responses that are sent first.
    public var interim: [Interim] = []
    /// The pace at which the body is sent; `nil` for as fast as the client reads.
    public var pacing: LoopbackPacing?
    /// The pace at which the request body is read; `nil` for as fast as it arrives.
    public var readPacing: LoopbackPacing?
    /// The incidents, ordered by their points.
    public internal(set) var incidents: [LoopbackIncident] = []
    /// The state of the connection after the response.
    public var ending = LoopbackEnding.keepAlive
    /// Whether the response is sent as soon as the request head is read. The connection is closed if the request body
    /// is unread.
    public var isEarly = false
    /// Whether `Expect: 100-continue` is answered before the body is read.
    public var answersExpectation = true
    /// Bytes to send instead of the status line and header fields.
    public var rawHead: Data?
    /// What the connection is used for after the response, if it switches protocols.
    var upgrade: Upgrade?

    /// An informational response.
    public struct Interim: Sendable {
        /// The status, such as 103.
        public var status: Int
        /// The header fields.
        public var headers: HTTPHeaders

        /// Creates an informational response.
        public init(_ status: Int, headers: HTTPHeaders = [:]) {
            self.status = status
            self.headers = headers
        }
    }

    /// Creates a response; by default with status 200 and no body.
    public init(status: Int = 200, headers: HTTPHeaders = [:], body: LoopbackBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    // MARK: Creating responses

    /// Responds with status 204 and no body.
    public static var empty: Self { .status(204) }

    /// Responds with a redirect.
    public static func redirect(to location: String, status: Int = 302, headers: HTTPHeaders = [:]) -> Self {
        let target: HTTPHeaders = ["Location": location]
        return .status(status, headers: target.merging(headers))
    }

    /// Responds with bytes.
    ///
    /// - Parameter type: The `Content-Type`, unless the headers contain one; `nil` for none.
    public static func data(
        _ data: Data,
        type: String? = "application/octet-stream",
        status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> Self {
        let typed: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        return Self(status: status, headers: typed.merging(headers), body: .data(data))
    }

    /// Responds with a value encoded as JSON, or with status 500 if it cannot be encoded.
    public static func json(
        _ value: some Encodable,
        status: Int = 200,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> Self {
        do {
            return data(try encoder.encode(value), type: "application/json", status: status, headers: headers)
        } catch {
            return .text("The value cannot be encoded: \(error)", status: 500)
        }
    }

    /// Sends exactly these bytes, then closes the connection by default.
    ///
    /// The bytes after the first empty line are the body.
    public static func raw(_ bytes: Data, then ending: LoopbackEnding = .close) -> Self {
        var response = Self()
        let end = bytes.range(of: Data("\r\n\r\n".utf8))?.upperBound ?? bytes.endIndex
        response.rawHead = bytes[..<end]
        response.body = .data(Data(bytes[end...]))
        response.ending = ending
        return response
    }

    /// Sends exactly this text in UTF-8, then closes the connection by default.
    public static func raw(_ text: String, then ending: LoopbackEnding = .close) -> Self {
        raw(Data(text.utf8), then: ending)
    }

    /// Sends an endless body as fast as the client reads.
    public static func endless(_ pattern: String = "0123456789abcdef") -> Self {
        Self(headers: ["Content-Type": "application/octet-stream"], body: .repeating(Data(pattern.utf8), count: nil))
    }

    /// Reads the request and does not respond, until the client disconnects.
    public static var hang: Self { .fault(.stall) }

    /// Performs a fault instead of responding.
    public static func fault(_ fault: LoopbackFault, at point: LoopbackPoint = .responseStart) -> Self {
        Self().fault(fault, at: point)
    }
}

/// The body of a response. Endless and very large bodies are generated while they are sent.
public enum LoopbackBody: Sendable {
    /// Bytes in memory.
    case data(Data)
    /// A pattern repeated up to the given number of bytes; without a number, until the client disconnects.
    case repeating(Data, count: Int?)

    /// A body without bytes.
    public static let empty = Self.data(Data())

    /// The number of bytes; `nil` for an endless body.
    public var count: Int? {
        switch self {
        case .data(let data): data.count
        case .repeating(let pattern, let count): pattern.isEmpty ? 0 : count
        }
    }

    func bytes(_ range: Range<Int>) -> [UInt8] {
        switch self {
        case .data(let data):
            return Array(data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)])
        case .repeating(let pattern, _):
            if pattern.count == 1, let byte = pattern.first { return Array(repeating: byte, count: range.count) }
            let start = range.lowerBound % max(1, pattern.count)
            var bytes = Array(pattern.dropFirst(start) + pattern.prefix(start))
            // A pattern is short and a body is long, so doubling is fast.
            while !bytes.isEmpty, bytes.count < range.count { bytes += bytes }
            bytes.removeLast(bytes.count - range.count)
            return bytes
        }
    }
}

/// How a response declares the end of its body.
public enum LoopbackFraming: Sendable, Hashable {
    /// `Content-Length` if the length is known, otherwise chunks.
    case automatic
    /// Chunks of the given size in bytes.
    case chunked(size: Int)
    /// The end of the connection ends the body.
    case untilClose
    /// One `Content-Length` field for each given value, correct or not.
    case declared([String])
}

/// The pace of a body sent in pieces.
///
/// Intervals are at least as long as requested, with a resolution of a millisecond. Zero means no delay.
public struct LoopbackPacing: Sendable, Hashable {
    /// The number of bytes in each piece.
    public var bytes: Int { didSet { bytes = max(1, bytes) } }
    /// The time between pieces.
    public var interval: Duration
    /// Whether the head is also sent in pieces.
    public var includesHead: Bool

    /// Creates a pace with pieces of at least one byte, sent at an interval.
    public init(bytes: Int, every interval: Duration, includesHead: Bool = false) {
        self.bytes = max(1, bytes)
        self.interval = interval
        self.includesHead = includesHead
    }

    /// Up to a hundred pieces per second.
    public init(bytesPerSecond rate: Int) {
        let rate = max(1, rate)
        let bytes = max(1, rate / 100)
        self.init(bytes: bytes, every: .seconds(1) * bytes / rate)
    }
}

/// The state of a connection after a response.
public enum LoopbackEnding: Sendable, Hashable {
    /// Remains open for the next request if the client wants it.
    case keepAlive
    /// Closes. Unless the head is raw, it contains `Connection: close`.
    case close
    /// Closes without `Connection: close`, as after an idle timeout.
    case closeSilently
    /// Closes without a response when the next request arrives, like a stale connection in a pool.
    case closeOnNextRequest
}
