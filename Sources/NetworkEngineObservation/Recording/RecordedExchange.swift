import Foundation
import NetworkEngine

/// An exchange as stored in a recording, with its secrets.
struct RecordedExchange: Sendable {
    struct Response: Sendable {
        var statusCode: Int
        var headers: HTTPHeaders
        var trailers: HTTPHeaders?
        var body: RecordedBody?
    }

    struct Failure: Sendable {
        var failure: TransportFailure?
        var isCanceled: Bool
        /// The description of the error.
        var text: String
    }

    let number: Int
    let attempt: Int
    /// The request as sent. Its body is the recorded one, or a file.
    private(set) var request: HTTPRequest
    private(set) var requestBody: RecordedBody?
    /// The times since the start of the call.
    let start: Duration
    var admitted: Duration?
    private(set) var responded: Duration?
    var end: Duration?
    private(set) var response: Response?
    var failure: Failure?
    var metrics: ExchangeMetrics?
    var connection: NetworkEvent.Connection?
    var cache: NetworkEvent.CacheAnswer?
    /// The approximate memory size in bytes. Measured when a message arrives, because a ring often adds it up.
    private(set) var cost = 0

    init(number: Int, attempt: Int, request: HTTPRequest, start: Duration, bodyLimit: Int) {
        (self.number, self.attempt, self.start) = (number, attempt, start)
        requestBody = RecordedBody(request.body, coding: request.headers["Content-Encoding"], limit: bodyLimit)
        self.request = request
        if case .file = request.body {} else { self.request.body = requestBody.map { .data($0.data) } ?? .absent }
        cost = measuredCost
    }

    mutating func begin(_ head: NetworkEvent.Head, at time: Duration) {
        responded = time
        response = Response(statusCode: head.statusCode, headers: head.headers)
        cost = measuredCost
    }

    /// - Parameter errorText: the description of the error.
    mutating func finish(
        _ result: Result<HTTPResponse, NetworkError>, errorText: String?, at end: Duration, bodyLimit: Int
    ) {
        self.end = end
        switch result {
        case .success(let response): keep(response, bodyLimit: bodyLimit)
        case .failure(let error):
            failure = Failure(
                failure: error.transportFailure, isCanceled: error.kind == .cancelled, text: errorText ?? "")
            if let response = error.response { keep(response, bodyLimit: bodyLimit) }
        }
        cost = measuredCost
    }

    private mutating func keep(_ response: HTTPResponse, bodyLimit: Int) {
        let body = RecordedBody(response.body, coding: response.headers["Content-Encoding"], limit: bodyLimit)
        self.response = Response(
            statusCode: response.statusCode, headers: response.headers, trailers: response.trailers, body: body)
        metrics = metrics ?? response.metrics
    }

    /// Removes the bodies, to save memory.
    mutating func removeBodies() {
        if requestBody?.data.isEmpty == false {
            requestBody?.removeData()
            request.body = .data(requestBody?.data ?? .init())
        }
        if response?.body?.data.isEmpty == false { response?.body?.removeData() }
        cost = measuredCost
    }

    private var measuredCost: Int {
        Self.ownCost + request.url.absoluteString.utf8.count * 2 + request.headers.cost
            + (requestBody?.data.count ?? 0) + (response?.headers.cost ?? 0) + (response?.trailers?.cost ?? 0)
            + (response?.body?.data.count ?? 0)
            + (failure?.text.utf8.count ?? 0)
    }

    /// The struct and the objects that it references.
    private static let ownCost = 1_600
}

extension RecordedBody {
    fileprivate mutating func removeData() {
        data = .init()
        note = "The body was removed from the recording to save memory."
    }
}

extension HTTPHeaders {
    fileprivate var cost: Int {
        reduce(64) { $0 + 32 + $1.name.cost + $1.value.cost }
    }
}

extension String {
    /// Short strings are stored without an allocation.
    fileprivate var cost: Int { utf8.count > 15 ? utf8.count + 48 : 0 }
}
