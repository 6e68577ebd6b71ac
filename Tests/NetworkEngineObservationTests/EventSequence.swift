import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineObservation

/// Creates a call's events manually, at chosen times.
struct EventSequence {
    static let date = Date(timeIntervalSince1970: 1_700_000_000)

    let observer: any NetworkObserver
    var id = RequestID()
    var attempt = 0
    var exchange = 0
    var instant = ContinuousClock.now

    init(_ observer: any NetworkObserver) { self.observer = observer }

    static func request(
        _ url: String = "https://api.test/users/7", _ method: HTTPMethod = .get, headers: HTTPHeaders = [:]
    ) -> HTTPRequest {
        HTTPRequest(method: method, url: URL(string: url) ?? API.base, headers: headers)
    }

    mutating func wait(_ duration: Duration) { instant = instant.advanced(by: duration) }

    func post(_ kind: NetworkEvent.Kind, of exchange: Int = 0) {
        observer.handle(
            NetworkEvent(callID: id, attempt: attempt, exchange: exchange, instant: instant, kind: kind))
    }

    mutating func begin(_ request: HTTPRequest, template: String? = nil, parent: TraceParent? = nil) {
        post(.callStarted(.init(request: request, template: template, date: Self.date, parent: parent)))
        beginAttempt(request)
    }

    mutating func beginAttempt(_ request: HTTPRequest) {
        attempt += 1
        post(.attemptStarted(request))
    }

    @discardableResult
    mutating func beginExchange(_ request: HTTPRequest) -> Int {
        exchange += 1
        post(.exchangeStarted(request), of: exchange)
        return exchange
    }

    func respond(_ status: Int, _ request: HTTPRequest, headers: HTTPHeaders = [:], metrics: ExchangeMetrics? = nil) {
        post(.responded(.init(statusCode: status, headers: headers)), of: exchange)
        let response = HTTPResponse(statusCode: status, headers: headers, request: request)
        post(.exchangeEnded(.init(result: .success(response), metrics: metrics)), of: exchange)
    }

    func end(_ result: Result<HTTPResponse, NetworkError>, after duration: Duration = .zero) {
        post(.attemptEnded(.init(result: result)))
        post(.callEnded(.init(result: result, attempts: attempt, duration: duration)))
    }

    /// A complete call with one exchange.
    static func call(
        _ observer: any NetworkObserver, _ request: HTTPRequest = EventSequence.request(), template: String? = nil,
        status: Int = 200, headers: HTTPHeaders = [:], taking duration: Duration = .milliseconds(30),
        metrics: ExchangeMetrics? = nil, parent: TraceParent? = nil
    ) {
        var call = EventSequence(observer)
        call.begin(request, template: template, parent: parent)
        call.beginExchange(request)
        call.wait(duration)
        call.respond(status, request, headers: headers, metrics: metrics)
        let response = HTTPResponse(statusCode: status, headers: headers, request: request)
        let result: Result<HTTPResponse, NetworkError> =
            status < 400 ? .success(response) : .failure(NetworkError(kind: .status, response: response))
        call.end(result, after: duration)
    }
}
