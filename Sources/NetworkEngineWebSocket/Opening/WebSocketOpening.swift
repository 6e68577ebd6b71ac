import Foundation
import NetworkEngine

/// Performs a WebSocket handshake over an open connection.
enum WebSocketOpening {
    /// The body of a refusal is truncated here.
    private static let longestBody = 64 << 10
    private static let longestHead = 64 << 10

    /// Sends the handshake, and returns the response: a 101 with the connection, or a refusal with its body.
    static func response(
        to request: HTTPRequest,
        over channel: any ByteChannel,
        offer: WebSocketOffer,
        userAgent: String? = nil,
        activity: @escaping @Sendable () -> Void = {}
    ) async throws(NetworkError) -> HTTPResponse {
        let handshake = WebSocketHandshake(
            request, protocols: offer.protocols, compression: offer.options.compression)
        var input = Input(channel: channel, activity: activity)
        let (statusCode, headers): (Int, HTTPHeaders)
        do throws(NetworkError) {
            try await channel.send(handshake.head(userAgent: userAgent))
            activity()
            (statusCode, headers) = try await head(from: &input)
        } catch {
            guard error.transportFailure == .lostMidBody else { throw error }
            throw NetworkError(.lostBeforeResponse, reason: error.reason, underlying: error.underlying)
        }
        var response = HTTPResponse(statusCode: statusCode, headers: headers, request: request)
        guard statusCode == 101 else {
            response.body = .data(Data(try await body(of: response, from: &input)))
            return response
        }
        let answer = try handshake.answer(of: response)
        let connection = FramedConnection(
            channel,
            as: .client,
            offer: offer,
            negotiatedProtocol: answer.chosenProtocol,
            compression: answer.compression,
            received: input.bytes,
            request: request
        )
        response.upgrade = WebSocketOwner(connection, encoder: offer.encoder)
        return response
    }

    /// The received bytes that have not been used yet.
    private struct Input {
        let channel: any ByteChannel
        let activity: @Sendable () -> Void
        var bytes: [UInt8] = []
        /// The index up to which no head ends.
        private var searched = 0

        /// The index after the empty line that ends a head.
        mutating func endOfHead() -> Int? {
            let end = bytes.endOfHead(from: searched)
            // An empty line may have arrived in part.
            searched = end == nil ? max(0, bytes.count - 3) : 0
            return end
        }

        init(channel: any ByteChannel, activity: @escaping @Sendable () -> Void) {
            (self.channel, self.activity) = (channel, activity)
        }

        /// Waits for more bytes. Returns whether there are any.
        mutating func receive() async throws(NetworkError) -> Bool {
            guard let more = try await channel.receive() else { return false }
            activity()
            bytes += more
            return true
        }

        mutating func take(_ count: Int) -> [UInt8] {
            defer { bytes.removeFirst(count) }
            return Array(bytes.prefix(count))
        }
    }

    // MARK: The head

    private static func head(from input: inout Input) async throws(NetworkError) -> (Int, HTTPHeaders) {
        var left = longestHead
        while true {
            var end = input.endOfHead()
            while end == nil {
                guard input.bytes.count <= left else {
                    throw NetworkError(
                        .limitExceeded, reason: "the response's head is larger than \(longestHead) bytes")
                }
                guard try await input.receive() else {
                    throw NetworkError(.lostBeforeResponse, reason: "the connection ended before the response")
                }
                end = input.endOfHead()
            }
            let lines = input.take(end ?? 0)
            left -= lines.count
            guard let statusCode = lines.statusCode, let end = lines.firstIndex(of: 0x0A) else {
                throw NetworkError(.protocolViolation, reason: "the response is not HTTP/1.1")
            }
            // Other interim responses are ignored; another head follows, within the same limit.
            if statusCode == 101 || statusCode >= 200 {
                return (statusCode, HTTPHeaders(lines: Array(lines[(end + 1)...])))
            }
        }
    }

    // MARK: The body of a refusal

    private static func body(of response: HTTPResponse, from input: inout Input) async throws(NetworkError) -> [UInt8] {
        guard ResponseHead.hasBody(statusCode: response.statusCode, method: .get) else { return [] }
        if response.headers["Transfer-Encoding"] != nil {
            var chunks = ChunkedBody(limit: longestBody)
            chunks.add(input.take(input.bytes.count))
            while !chunks.isComplete, try await input.receive() { chunks.add(input.take(input.bytes.count)) }
            return chunks.body
        }
        let length = response.headers["Content-Length"].flatMap { Int($0) } ?? .max
        let wanted = min(max(0, length), longestBody)
        while input.bytes.count < wanted, try await input.receive() {}
        return Array(input.bytes.prefix(wanted))
    }

    /// A chunked body, up to a limit. Invalid chunks end it.
    private struct ChunkedBody {
        let limit: Int
        private(set) var body: [UInt8] = []
        private(set) var isComplete = false
        private var line: [UInt8] = []
        /// The remaining bytes of the chunk, including its line end; `nil` between chunks.
        private var left: Int?

        private static let longestLine = 1 << 10

        init(limit: Int) { self.limit = limit }

        mutating func add(_ bytes: [UInt8]) {
            for byte in bytes where !isComplete {
                if let left {
                    // The last two bytes are the line end.
                    if left > 2 { body.append(byte) }
                    self.left = left == 1 ? nil : left - 1
                } else if byte == 0x0A {
                    begin()
                } else {
                    line.append(byte)
                }
                if body.count >= limit || line.count > Self.longestLine { isComplete = true }
            }
        }

        private mutating func begin() {
            let digits = line.prefix { $0 != 0x3B && $0 != 0x0D && $0 != 0x20 }
            line = []
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
            // A larger chunk would exceed the body limit anyway.
            if (1...1 << 30).contains(size) { left = size + 2 } else { isComplete = true }
        }
    }
}

extension [UInt8] {
    /// The index after the empty line that ends a head.
    fileprivate func endOfHead(from start: Int) -> Int? {
        var index = start
        while let end = self[index...].firstIndex(of: 0x0A) {
            let next = self[(end + 1)...].prefix(2)
            if next.first == 0x0A { return end + 2 }
            if next.elementsEqual([0x0D, 0x0A]) { return end + 3 }
            index = end + 1
        }
        return nil
    }

    /// The status in an HTTP/1.1 or HTTP/1.0 head.
    fileprivate var statusCode: Int? {
        let line = prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.starts(with: "HTTP/1.".utf8), line.count >= 12, line[8] == 0x20 else { return nil }
        guard (0x30...0x39).contains(line[7]) else { return nil }
        let digits = line[9..<12]
        let isNumber = digits.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, line.count == 12 || line[12] == 0x20 else { return nil }
        let status = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        return status >= 100 ? status : nil
    }
}
