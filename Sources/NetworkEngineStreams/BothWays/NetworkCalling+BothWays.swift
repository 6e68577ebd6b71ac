import Foundation
public import NetworkEngine

extension NetworkCalling {
    /// Sends a body while the response is received, with the errors of the calls.
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
    /// The call returns when the head of the response arrives, which may be before the body ends. Each direction has
    /// back-pressure: a slow server slows the body down, and a slow reader the server. A server that ends the response
    /// early ends the call, and the rest of the body is not sent.
    ///
    /// It needs a transport that sends and receives at the same time, as a `CurlTransport` does. `URLSession` reads a
    /// body to its end before it sends it: over a `URLSessionTransport` the call throws `.unsupported`, before any I/O.
    ///
    /// - Parameters:
    ///   - body: replaces the body of the request. `BodyStream.makeStream(limit:)` creates one with its writer.
    ///   - idleTimeout: the time that the reader of the response waits for bytes; `nil` for no limit. The time to the
    ///     head has the limits of other calls.
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

/// A body that no transport has read yet. A writer must not wait for a reader that never comes.
private final class UnreadBody: Sendable {
    private let body: Locked<BodyStream?>

    init(_ body: BodyStream) { self.body = Locked(body) }

    deinit { giveUp() }

    /// A transport reads the body.
    func begin() { _ = body.withLock { $0.take() } }

    func giveUp() { _ = body.withLock { $0.take() }?.reading() }
}

/// A reading of a response. At its end, when it fails and when it is released, the body is sent no more.
private final class AnswerReader: Sendable {
    private let reading: BodyStream.Reading
    private let unread: UnreadBody?

    /// - Parameter unread: the body; `nil` for a reading after the first one, which fails.
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
    /// The same response, whose end gives up a body that was not read.
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
