import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct MetricsRecorderTests {
    private typealias Series = MetricsSnapshot.Series
    private typealias Outcome = MetricsSnapshot.Outcome

    private let metrics = MetricsRecorder()
    private let users = Series(method: "GET", address: "api.test", port: 443, template: "/users/{id}")

    @Test func `an exchange is counted by method, host, template and status`() {
        EventSequence.call(metrics, template: "/users/{id}")
        EventSequence.call(metrics, template: "/users/{id}", status: 404, taking: .seconds(3))
        EventSequence.call(metrics, EventSequence.request("http://10.0.0.1:8080/x?y=1", "PURGE"))
        let snapshot = metrics.snapshot()
        #expect(snapshot.requests[Outcome(series: users, statusCode: 200)]?.count == 1)
        let failed = snapshot.requests[Outcome(series: users, statusCode: 404, errorType: "404")]
        #expect(failed?.count == 1 && failed?.sum == 3)
        let other = Series(method: "_OTHER", address: "10.0.0.1", port: 8080)
        #expect(snapshot.requests[Outcome(series: other, statusCode: 200)]?.count == 1)
        #expect(snapshot.requests.count == 3 && snapshot.calls.count == 3 && snapshot.callsInFlight == 0)
    }

    @Test func `a duration is counted in the first bucket that holds it`() {
        for bound in MetricsSnapshot.Histogram.bounds {
            let nanoseconds = Int64((bound * 1e9).rounded())
            EventSequence.call(metrics, taking: .nanoseconds(nanoseconds))
            EventSequence.call(metrics, taking: .nanoseconds(nanoseconds + 1))
        }
        #expect(metrics.snapshot().requests.values.first?.counts == [1] + Array(repeating: 2, count: 13) + [1])
    }

    @Test func `retries, redirects, bytes, refreshes and answers of the cache are counted`() {
        var call = EventSequence(metrics)
        let request = EventSequence.request()
        call.begin(request, template: "/users/{id}")
        call.beginExchange(request)
        call.respond(503, request, metrics: ExchangeMetrics(bytesSent: 5, bytesReceived: 7))
        call.post(.retryDecided(.init(delay: .seconds(1), reason: .advised)))
        call.beginAttempt(request)
        call.post(.refreshEnded(.init(isJoined: false, outcome: .succeeded)))
        call.post(.refreshEnded(.init(isJoined: true, outcome: .succeeded)))
        call.post(.cacheAnswered(.init(outcome: .miss)))
        call.beginExchange(request)
        call.respond(302, request, metrics: ExchangeMetrics(bytesReceived: 1))
        let next = EventSequence.request("https://cdn.test/7")
        call.post(.redirected(.init(statusCode: 302, request: next)))
        call.beginExchange(next)
        #expect(metrics.snapshot().callsInFlight == 1)
        call.post(.exchangeEnded(.init(result: .failure(NetworkError(kind: .timeout)))), of: 3)
        call.post(.retryDecided(.init(delay: nil, reason: .attemptLimit)))
        call.end(.failure(NetworkError(kind: .timeout)))
        let snapshot = metrics.snapshot()
        #expect(snapshot.retries == [users: 1] && snapshot.redirects == [users: 1])
        #expect(snapshot.bytesSent == [users: 5] && snapshot.bytesReceived == [users: 8])
        #expect(snapshot.refreshes == [.succeeded: 1] && snapshot.cacheAnswers == [.miss: 1])
        let moved = Series(method: "GET", address: "cdn.test", port: 443)
        #expect(snapshot.requests[Outcome(series: moved, errorType: "timeout")]?.count == 1)
        #expect(snapshot.calls.keys.map(\.errorType) == ["timeout"] && snapshot.callsInFlight == 0)
    }

    @Test func `a canceled call counts as canceled, and not like a success`() {
        var call = EventSequence(metrics)
        call.begin(EventSequence.request())
        call.end(.failure(NetworkError(kind: .cancelled)))
        let outcomes = metrics.snapshot().calls.keys.map { [$0.statusCode.map(String.init), $0.errorType] }
        #expect(outcomes == [[nil, "cancelled"]])
    }

    @Test func `beyond the limit of series, values are counted in another series`() {
        let metrics = MetricsRecorder(seriesLimit: 10)
        for number in 0..<1_000 { EventSequence.call(metrics, EventSequence.request("https://host\(number).test")) }
        let snapshot = metrics.snapshot()
        #expect(snapshot.requests.count == 11)
        #expect(snapshot.requests[Outcome(series: .other)]?.count == 990)
        #expect(snapshot.requests.values.reduce(0) { $0 + $1.count } == 1_000)
    }

    @Test func `calls that were not observed are counted`() {
        EventSequence(metrics).post(.dropped(calls: 3))
        EventSequence(metrics).post(.dropped(calls: 4))
        #expect(metrics.prometheusText().contains("http_client_dropped_calls_total 7\n"))
    }

    @Test func `reading waits for the events of the queue`() {
        for _ in 0..<1_000 {
            let observation = ObserverList([metrics]).observation(of: RequestID())
            observation?.begin(.init(request: EventSequence.request()))
            observation?.beginAttempt(EventSequence.request())
            observation?.end(NetworkError(kind: .offline))
        }
        #expect(metrics.snapshot().calls.values.map(\.count) == [1_000])
    }

    @Test func `a histogram has the buckets of the conventions, cumulated`() {
        EventSequence.call(metrics, taking: .milliseconds(30))
        EventSequence.call(metrics, taking: .seconds(20))
        let lines = metrics.prometheusText().split(separator: "\n").filter {
            $0.contains("request_duration_seconds_bucket")
        }
        let labels =
            #"http_request_method="GET",server_address="api.test",server_port="443",http_response_status_code="200""#
        let bounds = [
            "0.005": 0, "0.01": 0, "0.025": 0, "0.05": 1, "0.075": 1, "0.1": 1, "0.25": 1, "0.5": 1, "0.75": 1, "1": 1,
            "2.5": 1, "5": 1, "7.5": 1, "10": 1, "+Inf": 2,
        ]
        #expect(
            Set(lines.map(String.init))
                == Set(bounds.map { "http_client_request_duration_seconds_bucket{\(labels),le=\"\($0)\"} \($1)" }))
        #expect(lines.count == 15)
    }
}
