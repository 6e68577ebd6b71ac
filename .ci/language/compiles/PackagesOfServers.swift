import Foundation

// sample
import Logging
import NetworkEngine
import NetworkEngineObservation

/// Logs calls with swift-log, and failed ones as errors.
func logs(to logger: Logger) -> RequestLogger {
    RequestLogger.passingEntries(level: .line) { entry in
        logger.log(level: entry.outcome == .failed ? .error : .info, "\(entry.text)")
    }
}
// end

// sample
import Metrics
import NetworkEngine

/// Measures calls with swift-metrics, by method, template and status.
nonisolated struct CallTimes: RequestInterceptor {
    var stage: InterceptorStage { .call }

    func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws -> HTTPResponse {
        let start = ContinuousClock.now
        func record(_ status: Int?) {
            let dimensions = [
                ("method", request.method.rawValue), ("template", context.template ?? "none"),
                ("status", status.map { "\($0)" } ?? "none"),
            ]
            let (seconds, attoseconds) = (ContinuousClock.now - start).components
            Metrics.Timer(label: "http_client_call", dimensions: dimensions)
                .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        }
        do {
            let response = try await next(request)
            record(response.statusCode)
            return response
        } catch {
            record((error as? NetworkError)?.statusCode)
            throw error
        }
    }
}
// end

// sample
import NetworkEngine
import Tracing

/// Makes a span of swift-distributed-tracing for each call, named by its template, and tells the server about it.
nonisolated struct CallSpans: RequestInterceptor {
    var stage: InterceptorStage { .call }

    func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws -> HTTPResponse {
        try await withSpan("\(request.method) \(context.template ?? "")", ofKind: .client) { span in
            var request = request
            if let parent = ServiceContext.current {
                InstrumentationSystem.instrument.inject(parent, into: &request.headers, using: Fields())
            }
            let response = try await next(request)
            span.attributes["http.response.status_code"] = response.statusCode
            return response
        }
    }

    private struct Fields: Injector {
        func inject(_ value: String, forKey key: String, into carrier: inout HTTPHeaders) { carrier[key] = value }
    }
}
// end

// sample
func client(_ api: URL, _ refresher: some RequestInterceptor, _ logger: Logger) -> HTTPClient {
    var configuration = NetworkConfiguration()
    configuration.observers = [logs(to: logger)]
    return HTTPClient(
        baseURL: api, interceptors: [CallSpans(), CallTimes(), refresher], configuration: configuration)
}
// end
