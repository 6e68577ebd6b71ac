import Foundation

@testable import NetworkEngine
@testable import NetworkEngineObservation

/// A call's events, created manually.
///
/// ```swift
/// var call = PlayedCall(request)
/// call.attempt(request)
/// call.exchange(request, .success(response), metrics: metrics)
/// call.end(.success(response))
/// call.play(to: recorder)
/// ```
struct PlayedCall {
    private(set) var events: [NetworkEvent] = []
    let id = RequestID()
    private let start: ContinuousClock.Instant
    private var time = Duration.zero
    private var attempts = 0
    private var exchanges = 0
    private var isAttemptOpen = false

    init(
        _ request: HTTPRequest, operation: String? = nil, date: Date = Date(timeIntervalSince1970: 1_700_000_000),
        at start: ContinuousClock.Instant = .now
    ) {
        self.start = start
        post(.callStarted(.init(request: request, operationName: operation, date: date)))
    }

    mutating func wait(_ duration: Duration) { time += duration }

    mutating func post(_ kind: NetworkEvent.Kind, exchange: Int = 0) {
        events.append(
            NetworkEvent(callID: id, attempt: attempts, exchange: exchange, instant: start + time, kind: kind))
    }

    mutating func attempt(_ request: HTTPRequest) {
        attempts += 1
        isAttemptOpen = true
        post(.attemptStarted(request))
    }

    /// An exchange of this length.
    mutating func exchange(
        _ request: HTTPRequest, _ result: Result<HTTPResponse, NetworkError>, metrics: ExchangeMetrics? = nil,
        connection: NetworkEvent.Connection? = nil, lasting duration: Duration = .milliseconds(30)
    ) {
        exchanges += 1
        post(.exchangeStarted(request), exchange: exchanges)
        if let connection { post(.connected(connection), exchange: exchanges) }
        time += duration / 2
        if case .success(let response) = result {
            post(.responded(.init(statusCode: response.statusCode, headers: response.headers)), exchange: exchanges)
        }
        time += duration / 2
        post(.exchangeEnded(.init(result: result, metrics: metrics)), exchange: exchanges)
    }

    mutating func endAttempt(_ result: Result<HTTPResponse, NetworkError>) {
        isAttemptOpen = false
        post(.attemptEnded(.init(result: result)))
    }

    mutating func end(_ result: Result<HTTPResponse, NetworkError>) {
        if isAttemptOpen { endAttempt(result) }
        post(.callEnded(.init(result: result, attempts: attempts, duration: time)))
    }

    func play(to observers: any NetworkObserver...) {
        for event in events { for observer in observers { observer.handle(event) } }
    }
}

extension PlayedCall {
    /// A call with one exchange.
    static func simple(
        _ request: HTTPRequest, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"],
        body: Data = Data("{}".utf8), operation: String? = nil, date: Date = Date(timeIntervalSince1970: 1_700_000_000)
    ) -> PlayedCall {
        let response = HTTPResponse(statusCode: status, headers: headers, body: .data(body), request: request)
        var call = PlayedCall(request, operation: operation, date: date)
        call.attempt(request)
        call.exchange(request, .success(response))
        call.end(.success(response))
        return call
    }

    /// A call with everything that can happen: a redirect, a failure, a refresh, a wait, a second attempt and decoding.
    static func eventful(_ request: HTTPRequest) -> PlayedCall {
        let moved = HTTPResponse(statusCode: 302, headers: ["Location": "/next"], request: request)
        let last = HTTPResponse(
            statusCode: 200, headers: ["Content-Type": "application/json"], body: .data(Data(#"{"a":1}"#.utf8)),
            request: request)
        let failure = NetworkError(
            kind: .connection, reason: "the connection was lost", transportFailure: .lostBeforeResponse,
            request: request)
        var call = PlayedCall(request, operation: "GetUser")
        call.attempt(request)
        call.exchange(
            request, .success(moved),
            metrics: ExchangeMetrics(
                queued: .milliseconds(2), firstByte: .milliseconds(20), total: .milliseconds(25),
                isConnectionReused: false, domainLookup: .milliseconds(3), connecting: .milliseconds(4),
                tlsHandshake: .milliseconds(5)),
            connection: .init(isReused: false, remoteAddress: "127.0.0.1", remotePort: 80, networkProtocol: "http/1.1"))
        call.post(.redirected(.init(statusCode: 302, request: request)))
        call.exchange(request, .failure(failure))
        call.endAttempt(.failure(failure))
        call.post(.retryDecided(.init(delay: .milliseconds(50), reason: .advised)))
        call.post(.refreshStarted(.init(isJoined: false)))
        call.wait(.milliseconds(50))
        call.post(.refreshEnded(.init(isJoined: false, outcome: .succeeded)))
        call.attempt(request)
        call.post(.cacheAnswered(.init(outcome: .miss, status: "NetworkEngine; fwd=miss")))
        call.exchange(request, .success(last), connection: .init(isReused: true, networkProtocol: "h2"))
        call.endAttempt(.success(last))
        call.wait(.milliseconds(1))
        call.post(.decoded(.init(typeName: "User", duration: .milliseconds(1))))
        call.end(.success(last))
        return call
    }

    /// A call that the cache answers.
    static func cached(_ request: HTTPRequest) -> PlayedCall {
        let response = HTTPResponse(
            statusCode: 200, headers: ["Content-Type": "text/plain"], body: .data(Data("stored".utf8)), request: request
        )
        var call = PlayedCall(request)
        call.attempt(request)
        call.post(.cacheAnswered(.init(outcome: .hit, status: "NetworkEngine; hit; ttl=9")))
        call.wait(.milliseconds(1))
        call.end(.success(response))
        return call
    }
}

extension HTTPRequest {
    /// A request to a server that doesn't exist.
    static func example(
        _ method: HTTPMethod = .get, _ path: String = "/users/7", headers: HTTPHeaders = [:],
        body: RequestBody = .absent
    ) -> HTTPRequest {
        guard let url = URL(string: "https://api.test" + path) else { preconditionFailure("\(path) is no path") }
        return HTTPRequest(method: method, url: url, headers: headers, body: body)
    }
}
