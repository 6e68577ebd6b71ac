import Foundation
import NetworkEngine
import NetworkEngineObservation

/// Measures the cost of observers for each call: the events of a plain call, created manually.
enum ObserverCost {
    static func run() {
        var table = Table(
            "Observers on a plain call of 9 events (goal: HAR, timeline, metrics and spans together 25 µs)",
            columns: ["observers", "µs a call, median of 9", "best"]
        )
        for (name, observers) in contenders {
            let times = (0..<10).map { _ in measure(observers, calls: 20_000) }.dropFirst()
            table.add(name, times.median.rounded(to: 2), (times.min() ?? .nan).rounded(to: 2))
        }
        table.print()
    }

    private static var contenders: [(String, [any NetworkObserver])] {
        let (metrics, spans) = (MetricsRecorder(), SpanRecorder { _ in })
        let (archive, timeline) = (HARRecorder(), TimelineReport())
        return [
            ("one that does nothing", [Deaf()]), ("MetricsRecorder", [metrics]), ("SpanRecorder", [spans]),
            ("HARRecorder", [archive]), ("TimelineReport", [timeline]),
            ("all four", [archive, timeline, metrics, spans]),
        ]
    }

    /// The time of a call in microseconds.
    private static func measure(_ observers: [any NetworkObserver], calls: Int) -> Double {
        let events = Events()
        let start = ContinuousClock.now
        for _ in 0..<calls { events.post(to: observers) }
        return (ContinuousClock.now - start).microseconds / Double(calls)
    }

    private struct Deaf: NetworkObserver {
        func handle(_ event: NetworkEvent) {}
    }

    private struct Events {
        private let request: HTTPRequest
        private let response: HTTPResponse

        init() {
            let url = Thing.base?.appending(queryItems: [URLQueryItem(name: "page", value: "2")])
            var request = HTTPRequest(url: url ?? Thing.thing(1).baseURL)
            request.headers = ["Accept": "application/json", "User-Agent": "benchmarks", "Accept-Encoding": "gzip"]
            self.request = request
            response = HTTPResponse(
                statusCode: 200,
                headers: [
                    "Content-Type": "application/json", "Date": "Mon, 23 Nov 2026 00:00:00 GMT", "ETag": "\"e\"",
                ],
                request: request)
        }

        func post(to observers: [any NetworkObserver]) {
            let id = RequestID()
            func post(_ kind: NetworkEvent.Kind, _ exchange: Int = 0) {
                let event = NetworkEvent(callID: id, attempt: 1, exchange: exchange, kind: kind)
                for observer in observers { observer.handle(event) }
            }
            post(.callStarted(.init(request: request, template: "/things/{id}")))
            post(.attemptStarted(request))
            post(.exchangeStarted(request), 1)
            post(
                .connected(.init(isReused: true, remoteAddress: "192.0.2.1", remotePort: 443, networkProtocol: "h2")), 1
            )
            post(.responded(.init(statusCode: 200, headers: response.headers)), 1)
            let metrics = ExchangeMetrics(bytesSent: 0, bytesReceived: 1_024)
            post(.exchangeEnded(.init(result: .success(response), metrics: metrics)), 1)
            post(.attemptEnded(.init(result: .success(response))))
            post(.decoded(.init(typeName: "Thing", duration: .microseconds(5))))
            post(.callEnded(.init(result: .success(response), attempts: 1, duration: .milliseconds(1))))
        }
    }
}
