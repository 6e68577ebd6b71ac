import Foundation
public import NetworkEngine

extension NetworkCalling {
    /// Sends a body while the response is received, with the calls' error type.
    public func stream(
        _ request: Request,
        sending body: BodyStream,
        idleTimeout: Duration? = nil
    ) async throws(Failure) -> MappedSequence<ResponseStream, Failure> {
        MappedSequence(try await exchange(request, body, idleTimeout)) { mappedAny($0) }
    }
}

extension NetworkCalling where Failure == NetworkError {
    /// Sends a body while the response is received.
    ///
    /// ```swift
    /// let (body, writer) = BodyStream.makeStream()
    /// let answers = try await client.stream(.post("/chat"), sending: body)
    /// ```
    /// The call returns when the response head arrives, which may be before the body ends. Each direction has
    /// back-pressure: a slow server slows the body down, and a slow reader slows the server down. If the server ends
    /// the response early, the call ends and the rest of the body is not sent.
    ///
    /// Requires a transport that can send and receive simultaneously, such as `CurlTransport`. `URLSession` reads a
    /// body to its end before it sends it, so the call throws `.unsupported` before any I/O over a
    /// `URLSessionTransport`.
    ///
    /// - Parameters:
    ///   - body: replaces the request body. Create one and its writer with `BodyStream.makeStream(limit:)`.
    ///   - idleTimeout: how long the response's reader waits for bytes; `nil` for no limit. The time to the response
    ///     head is limited as for other calls.
    public func stream(
        _ request: Request,
        sending body: BodyStream,
        idleTimeout: Duration? = nil
    ) async throws(NetworkError) -> ResponseStream {
        try await exchange(request, body, idleTimeout)
    }
}

extension NetworkCalling {
    fileprivate func exchange(
        _ request: Request,
        _ body: BodyStream,
        _ idleTimeout: Duration?
    ) async throws(Failure) -> ResponseStream {
        let unread = UnreadBody(body)
        let sent = body.sentWhileReceiving { unread.begin() }
        var settings = CallSettings()
        settings.streamTimeout = idleTimeout.map { .limited($0) } ?? .unlimited
        settings.change = { request, _ throws(NetworkError) in request.body = .stream(sent) }
        do throws(Failure) {
            return try await run(request, .stream, settings: settings).keeping(unread)
        } catch {
            unread.giveUp()
            throw error
        }
    }
}

/// A body that no transport has read yet. Prevents a writer from waiting for a reader that never comes.
private final class UnreadBody: Sendable {
    private let body: Locked<BodyStream?>

    init(_ body: BodyStream) { self.body = Locked(body) }

    deinit { giveUp() }

    /// A transport starts reading the body.
    func begin() { _ = body.withLock { $0.take() } }

    func giveUp() { _ = body.withLock { $0.take() }?.reading() }
}

/// Reads a response. When it ends, fails or is released, the body is no longer sent.
private final class AnswerReader: Sendable {
    private let reading: BodyStream.Reading
    private let unread: UnreadBody?

    /// - Parameter unread: the body; `nil` for any reader after the first one, which fails.
    init(_ reading: BodyStream.Reading, _ unread: UnreadBody?) { (self.reading, self.unread) = (reading, unread) }

    deinit { unread?.giveUp() }

    func next() async throws -> Data? {
        do {
            if let piece = try await reading.next() { return piece }
        } catch {
            unread?.giveUp()
            throw error
        }
        unread?.giveUp()
        return nil
    }
}

extension ResponseStream {
    /// The same response, which at its end abandons a body that was not read.
    fileprivate func keeping(_ unread: UnreadBody) -> ResponseStream {
        guard case .stream(let pieces) = response.body else {
            unread.giveUp()
            return self
        }
        var response = response
        let first = Locked<UnreadBody?>(unread)
        response.body = .stream(
            BodyStream(length: pieces.length, isReplayable: false) {
                let reader = AnswerReader(pieces.reading(), first.withLock { $0.take() })
                return BodyStream.Reading(reader.next)
            })
        return ResponseStream(response, decoder: decoder)
    }
}
