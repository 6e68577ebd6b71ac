import Foundation

extension Exchange {
    /// Records trailers that have arrived.
    package func receive(trailers lines: [UInt8]) {
        let fields = HTTPHeaders(lines: lines)
        if let stream, state.withLock({ $0.machine.isStreaming }) {
            stream.trailers.withLock { $0 = fields }
        } else {
            state.withLock { $0.trailers = fields }
        }
    }

    /// The response or the error, when the awaiting task is resumed.
    func result() -> Result<HTTPResponse, any Error> {
        let (outcome, head, body, trailers, isStreaming) = state.withLock { state in
            defer { state.body = Data() }
            return (state.outcome, state.machine.head, state.body, state.trailers, state.machine.isStreaming)
        }
        if isStreaming, let head, let stream {
            // The response was returned with its head, and anything afterwards belongs to its stream.
            if case .aborted(.cancelled, _) = outcome { return .failure(CancellationError()) }
            var response = response(head, .stream(stream.stream(length: head.bodyLength)))
            response.takeTrailers(from: stream.trailers)
            return .success(response)
        }
        let isSuccess = if case .success = outcome { true } else { false }
        if !isSuccess, let error = error() {
            guard let head, let error = error as? NetworkError else { return .failure(error) }
            // The head may be more informative than the body's failure, and a truncated text is better than none.
            let part = head.statusCode >= 400 ? body : Data()
            return .failure(error.completed(response: response(head, .data(part))))
        }
        guard let head else { preconditionFailure("Resumed without a result") }
        var response = response(head, .data(body), metrics: measured)
        if trailers != nil { response.trailers = trailers }
        return .success(response)
    }

    /// The error that ended the exchange.
    func error() -> (any Error)? {
        let (outcome, head, received, error) = state.withLock { state in
            (state.outcome, state.machine.head, state.machine.received, state.error)
        }
        switch outcome {
        case nil, .success: return nil
        case .aborted(.cancelled, _): return CancellationError()
        case .aborted(let reason, let phase):
            if reason == .timedOut, let error = context.interruption(during: phase) {
                return error.completed(request: request)
            }
            let cause = reason == .cannotRead ? upload?.failure : error
            return NetworkError(reason, during: phase, hasHead: head != nil, underlying: cause)
                .completed(request: request)
        case .failed:
            if let cause = upload?.failure { return NetworkError.unreadableBody(cause).completed(request: request) }
            return (error as? NetworkError ?? lost(head, received)).completed(request: request)
        case .noResponse, .truncated: return lost(head, received, error).completed(request: request)
        }
    }

    private func lost(_ head: ResponseHead?, _ received: Int64, _ underlying: (any Error)? = nil) -> NetworkError {
        guard let head else {
            return NetworkError(.lostBeforeResponse, reason: "the exchange ended without a response")
        }
        return NetworkError(
            .lostMidBody,
            reason: "the body ended before its announced length",
            underlying: underlying,
            figures: ErrorFigures(byteCount: received, expectedByteCount: head.bodyLength)
        )
    }

    private func response(
        _ head: ResponseHead,
        _ body: ResponseBody,
        metrics: ExchangeMetrics? = nil
    ) -> HTTPResponse {
        var response = HTTPResponse(
            statusCode: head.statusCode, headers: head.headers, body: body, request: request, metrics: metrics)
        if !head.decodedCodings.isEmpty { response.decodedCodings = head.decodedCodings }
        return response
    }
}
