import Foundation

/// Posts the events of one exchange, as reported by its transport.
package final class ExchangeObservation: Sendable {
    private struct State {
        var isAdmitted = false
        var isConnected = false
        var hasHead = false
        var metrics: ExchangeMetrics?
        var sent = Progress()
        var received = Progress()
    }

    /// The last posted progress.
    private struct Progress {
        var completed: Int64 = 0
        var moment = Moment.now

        /// - Returns: whether to post the progress.
        mutating func advance(to progress: TransferProgress) -> Bool {
            let now = Moment.now
            let isDue = progress.completed == progress.total || now - moment >= ExchangeObservation.progressInterval
            guard progress.completed > completed, isDue else { return false }
            (completed, moment) = (progress.completed, now)
            return true
        }
    }

    /// The minimum time between two progress events, except before the last.
    private static let progressInterval = Duration.milliseconds(50)

    private let call: CallObservation
    private let number: Int
    private let secrets: RequestSecrets?
    private let state = Locked(State())

    /// Starts an exchange.
    ///
    /// - Returns: `nil` if its attempt is over.
    init?(of request: HTTPRequest, in call: CallObservation) {
        guard let number = call.beginExchange(request) else { return nil }
        self.call = call
        self.number = number
        secrets = request.secrets
    }

    func queued() {
        state.withLock { $0.isAdmitted = false }
        call.post(.queued, of: number)
    }

    func admitted() {
        let isFirst = state.withLock { state in
            defer { state.isAdmitted = true }
            return !state.isAdmitted
        }
        if isFirst { call.post(.admitted, of: number) }
    }

    package func connected(_ connection: NetworkEvent.Connection) {
        state.withLock { $0.isConnected = true }
        call.post(.connected(connection), of: number)
    }

    /// Whether the transport has reported a connection.
    package var isConnected: Bool { state.withLock { $0.isConnected } }

    func responded(statusCode: Int, headers: HTTPHeaders) {
        state.withLock { $0.hasHead = true }
        var headers = headers
        // The headers redact the same secrets as the request's.
        headers.secrets = headers.secrets ?? secrets
        call.post(.responded(.init(statusCode: statusCode, headers: headers)), of: number)
    }

    func progressed(_ progress: TransferProgress) {
        let isDue = state.withLock { state in
            switch progress.direction {
            case .sending: state.sent.advance(to: progress)
            case .receiving: state.received.advance(to: progress)
            }
        }
        if isDue { call.post(.progressed(progress), of: number) }
    }

    /// Keeps the metrics for the end. They may reveal a connection that the transport has not reported.
    func measured(_ metrics: ExchangeMetrics) {
        state.withLock { $0.metrics = metrics }
        guard !isConnected, metrics.remoteAddress != nil || metrics.networkProtocol != nil else { return }
        connected(
            NetworkEvent.Connection(
                isReused: metrics.isConnectionReused,
                remoteAddress: metrics.remoteAddress,
                remotePort: metrics.remotePort,
                networkProtocol: metrics.networkProtocol,
                isSecure: metrics.isSecure
            ))
    }

    func fail(_ error: NetworkError) {
        call.endExchange(number, .init(result: .failure(error), metrics: state.withLock { $0.metrics }))
    }

    /// Records the response of the exchange, which ends unless the body is still arriving.
    ///
    /// - Returns: the response, with a body that ends the exchange when it is read.
    func succeed(_ response: HTTPResponse) -> HTTPResponse {
        if !state.withLock({ $0.hasHead }) {
            responded(statusCode: response.statusCode, headers: response.headers)
        }
        // A body without any bytes is never read.
        guard case .stream(let stream) = response.body, response.statusCode != 204, stream.length != 0 else {
            end(response.withoutStream)
            return response
        }
        var observed = response
        observed.body = .stream(stream.observed(by: self, response))
        return observed
    }

    fileprivate func end(_ response: HTTPResponse) {
        let metrics = state.withLock { $0.metrics } ?? response.metrics
        call.endExchange(number, .init(result: .success(response), metrics: metrics))
    }
}

extension BodyStream {
    /// The stream. Its first reading ends the exchange: at the end, with an error, or when it is released.
    fileprivate func observed(by exchange: ExchangeObservation, _ response: HTTPResponse) -> BodyStream {
        let unclaimed = Locked<ObservedReader?>(ObservedReader(exchange, response))
        return BodyStream(length: length, isReplayable: isReplayable) { () -> Reading in
            let reading: Reading = self.reading()
            guard let reader = unclaimed.withLock({ $0.take() }) else { return reading }
            return Reading { try await reader.next(of: reading) }
        }
    }
}

/// The first reader of a stream. Releasing it ends the exchange.
private final class ObservedReader: Sendable {
    private let exchange: ExchangeObservation
    private let response: HTTPResponse

    init(_ exchange: ExchangeObservation, _ response: HTTPResponse) {
        self.exchange = exchange
        // The reader must not retain the stream that it reads.
        self.response = response.withoutStream
    }

    deinit { exchange.fail(.cancelled(response.request)) }

    func next(of reading: BodyStream.Reading) async throws -> Data? {
        do {
            if let piece = try await reading.next() { return piece }
        } catch {
            exchange.fail(.transport(error, request: response.request))
            throw error
        }
        exchange.end(response)
        return nil
    }
}
