import Foundation
import NetworkEngine

/// The span of an open exchange.
struct OpenSpan: Sendable {
    /// Converts a moment of a call to a time of day.
    struct Timeline: Sendable {
        let date: Date
        let moment: Moment

        func date(of moment: Moment) -> Date {
            date.addingTimeInterval((moment - self.moment).inSeconds)
        }
    }

    private var span: TraceSpan
    private let secrets: RequestSecrets?
    private let timeline: Timeline
    private var hasHead = false

    init(
        _ identity: TraceParent, _ parentID: String?, _ request: HTTPRequest, template: String?, resendCount: Int,
        _ timeline: Timeline, at moment: Moment
    ) {
        let start = timeline.date(of: moment)
        let method = TelemetryLabels.method(request.method)
        let isKnown = method != TelemetryLabels.otherMethod
        self.timeline = timeline
        secrets = request.secrets
        span = TraceSpan(
            name: (isKnown ? method : "HTTP") + (template.map { " " + $0 } ?? ""),
            traceID: identity.traceID, spanID: identity.parentID, parentID: parentID, start: start, end: start)
        span.state = identity.state
        let server = ServerAddress(request.url)
        span.attributes.reserveCapacity(12)
        span.attributes["http.request.method"] = .string(method)
        span.attributes["server.address"] = .string(server.host)
        span.attributes["server.port"] = .int(server.port)
        span.attributes["url.full"] = .string(Redaction.describe(request.url, hiding: secrets))
        if !isKnown {
            let original = secrets?.scrub(request.method.rawValue) ?? request.method.rawValue
            span.attributes["http.request.method_original"] = .string(original)
        }
        if let template { span.attributes["url.template"] = .string(template) }
        if resendCount > 0 { span.attributes["http.request.resend_count"] = .int(resendCount) }
        addIdentifiers(in: request.headers, as: "http.request.header.")
    }

    mutating func add(_ name: String, at moment: Moment) {
        span.events.append(TraceSpan.Event(name: name, time: timeline.date(of: moment)))
    }

    mutating func describe(_ connection: NetworkEvent.Connection) {
        span.attributes["network.peer.address"] = connection.remoteAddress.map { .string($0) }
        span.attributes["network.peer.port"] = connection.remotePort.map { .int($0) }
        guard let name = connection.networkProtocol.map(Self.protocolName) else { return }
        span.attributes["network.protocol.name"] = .string(name.name)
        span.attributes["network.protocol.version"] = name.version.map { .string($0) }
    }

    /// The parts of a name such as `http/1.1`. ALPN writes later HTTP versions without a slash.
    private static func protocolName(_ text: String) -> (name: String, version: String?) {
        switch text {
        case "http/1.1", "HTTP/1.1": return ("http", "1.1")
        case "h2", "h2c", "H2", "H2C": return ("http", "2")
        case "h3", "H3": return ("http", "3")
        default:
            let parts = text.lowercased().split(separator: "/", maxSplits: 1).map(String.init)
            return (parts.first ?? text, parts.dropFirst().first)
        }
    }

    mutating func describe(_ head: NetworkEvent.Head, at moment: Moment) {
        hasHead = true
        span.attributes["http.response.status_code"] = .int(head.statusCode)
        addIdentifiers(in: head.headers, as: "http.response.header.")
        for metric in ServerTiming.metrics(in: head.headers) {
            var event = TraceSpan.Event(name: "server-timing", time: timeline.date(of: moment))
            event.attributes["name"] = .string(shown(metric.name))
            event.attributes["duration_ms"] = metric.milliseconds.map { .double($0) }
            event.attributes["description"] = metric.text.map { .string(shown($0)) }
            span.events.append(event)
        }
    }

    /// The span of an exchange that ends.
    mutating func ended(_ end: NetworkEvent.ExchangeEnd, at moment: Moment) -> TraceSpan {
        if !hasHead, case .success(let response) = end.result {
            describe(NetworkEvent.Head(statusCode: response.statusCode, headers: response.headers), at: moment)
        }
        let labels = OutcomeLabels(end.result)
        if let status = labels.statusCode { span.attributes["http.response.status_code"] = .int(status) }
        if let errorType = labels.errorType { span.attributes["error.type"] = .string(errorType) }
        if labels.errorType != nil, !labels.isCanceled {
            span.status = .error
            if case .failure(let error) = end.result, error.kind != .status {
                let known = error.request?.secrets ?? secrets
                span.statusMessage = Redaction.describe(text: error.reason, hiding: known)
            }
        }
        span.end = timeline.date(of: moment)
        return span
    }

    /// Adds the fields that identify the request on the server.
    private mutating func addIdentifiers(in headers: HTTPHeaders, as prefix: String) {
        for field in headers {
            guard let name = Self.identifiers.first(where: { $0.equalsIgnoringASCIICase(field.name) }) else { continue }
            let isHidden = secrets?.hides(header: name) == true || Redaction.isSecret(header: name)
            span.attributes[prefix + name] = .strings([isHidden ? Redaction.placeholder : shown(field.value)])
        }
    }

    /// A message text, shortened and without secrets.
    private func shown(_ text: String) -> String { String(Redaction.describe(text: text, hiding: secrets).prefix(256)) }

    private static let identifiers = [
        "x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "x-amz-request-id", "x-ms-request-id",
        "x-trace-id", "cf-ray",
    ]
}
