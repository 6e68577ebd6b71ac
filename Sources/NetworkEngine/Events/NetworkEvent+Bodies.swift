import Foundation

extension NetworkEvent {
    /// The size in bytes of the in-memory bodies that the event keeps alive.
    var bodySize: Int {
        switch kind {
        case .callStarted(let start): start.request.bodySize
        case .attemptStarted(let request), .exchangeStarted(let request): request.bodySize
        case .redirected(let redirection): redirection.request.bodySize
        case .exchangeEnded(let end): end.result.bodySize
        case .attemptEnded(let end): end.result.bodySize
        case .callEnded(let end): end.result.bodySize
        case .decoded(let decoding): decoding.error?.bodySize ?? 0
        case .queued, .admitted, .connected, .responded, .progressed, .cacheAnswered, .retryDecided, .refreshStarted,
            .refreshEnded, .streamEvent, .reconnecting, .dropped, .bodiesDropped:
            0
        }
    }

    /// The event with empty bodies instead of those in memory.
    var withoutBodies: NetworkEvent {
        NetworkEvent(callID: callID, attempt: attempt, exchange: exchange, moment: moment, kind: kindWithoutBodies)
    }

    private var kindWithoutBodies: Kind {
        switch kind {
        case .callStarted(var start):
            start.request = start.request.emptied
            return .callStarted(start)
        case .attemptStarted(let request): return .attemptStarted(request.emptied)
        case .exchangeStarted(let request): return .exchangeStarted(request.emptied)
        case .redirected(var redirection):
            redirection.request = redirection.request.emptied
            return .redirected(redirection)
        case .exchangeEnded(var end):
            end.result = end.result.emptied
            return .exchangeEnded(end)
        case .attemptEnded(let end): return .attemptEnded(AttemptEnd(result: end.result.emptied))
        case .callEnded(var end):
            end.result = end.result.emptied
            return .callEnded(end)
        case .decoded(var decoding):
            decoding.error = decoding.error?.emptied
            return .decoded(decoding)
        case .queued, .admitted, .connected, .responded, .progressed, .cacheAnswered, .retryDecided, .refreshStarted,
            .refreshEnded, .streamEvent, .reconnecting, .dropped, .bodiesDropped:
            return kind
        }
    }
}

extension HTTPRequest {
    fileprivate var bodySize: Int { body.data?.count ?? 0 }

    fileprivate var emptied: HTTPRequest {
        var request = self
        if case .data = body { request.body = .data(Data()) }
        return request
    }
}

extension HTTPResponse {
    fileprivate var bodySize: Int { (body.data?.count ?? 0) + request.bodySize }

    fileprivate var emptied: HTTPResponse {
        var response = self
        response.request = request.emptied
        if case .data = body { response.body = .data(Data()) }
        return response
    }
}

extension NetworkError {
    /// A cause usually has its error's bodies.
    fileprivate var bodySize: Int {
        max((response?.bodySize ?? 0) + (request?.bodySize ?? 0), (underlying as? NetworkError)?.bodySize ?? 0)
    }

    fileprivate var emptied: NetworkError {
        changing {
            ($0.request, $0.response) = ($0.request?.emptied, $0.response?.emptied)
            if let cause = $0.underlying as? NetworkError { $0.underlying = cause.emptied }
        }
    }
}

extension Result<HTTPResponse, NetworkError> {
    fileprivate var bodySize: Int {
        switch self {
        case .success(let response): response.bodySize
        case .failure(let error): error.bodySize
        }
    }

    fileprivate var emptied: Self { map(\.emptied).mapError(\.emptied) }
}
