import NetworkEngine

/// A call's log text, without its secrets.
struct LoggedCall: Sendable {
    private var name: String?
    private var request: HTTPRequest?
    /// Remembers the secrets of the messages so far, so that none is shown when a server repeats it.
    private var redactor = MessageRedactor()

    init() {}

    init(_ start: NetworkEvent.CallStart) {
        (name, request) = (start.operationName, start.request)
        request?.body = .absent
    }

    // MARK: Lines

    mutating func line(of end: NetworkEvent.CallEnd) -> String {
        let time = DurationText.text(end.duration)
        let attempts = end.attempts > 1 ? ", \(end.attempts) attempts" : ""
        switch end.result {
        case .success(let response):
            let size = response.body.data.map { ", \(BodyText.size($0.count))" } ?? ""
            return "\(title(request ?? response.request)) \(response.statusCode) in \(time)\(size)\(attempts)"
        case .failure(let error):
            let title = (request ?? error.request).map { self.title($0) } ?? "request"
            if error.kind == .cancelled { return "\(title) canceled after \(time)\(attempts)" }
            return "\(title) failed in \(time)\(attempts): \(error.description)"
        }
    }

    private func title(_ request: HTTPRequest) -> String {
        request.description + (name.map { " (\($0))" } ?? "")
    }

    mutating func message(for event: NetworkEvent, bodyLimit: Int?) -> String? {
        guard let text = text(of: event, bodyLimit: bodyLimit) else { return nil }
        return message(event.callID, text)
    }

    private mutating func text(of event: NetworkEvent, bodyLimit: Int?) -> String? {
        switch event.kind {
        case .exchangeStarted(let request):
            return "→ " + title(request) + (event.attempt > 1 ? ", attempt \(event.attempt)" : "") + head(of: request)
                + body(of: request, limit: bodyLimit)
        case .exchangeEnded(let end):
            switch end.result {
            case .success(let response):
                return "← \(response.statusCode) from \(title(response.request))" + time(end.metrics)
                    + lines(response.headers) + body(of: response, limit: bodyLimit)
            case .failure(let error): return "← " + error.description + time(end.metrics)
            }
        case .retryDecided(let choice):
            return choice.delay.map { "retries in \(DurationText.text($0))" }
        case .refreshStarted(let refresh):
            return refresh.isJoined ? "waits for a credential refresh" : "refreshes the credential"
        case .refreshEnded(let refresh): return "credential refresh \(refresh.outcome?.rawValue ?? "ended")"
        case .cacheAnswered(let answer):
            return "cache: \(answer.status.isEmpty ? answer.outcome.rawValue : answer.status)"
        case .reconnecting(let reconnection):
            return "reconnects in \(DurationText.text(reconnection.delay))"
                + (reconnection.reason.map { ": \($0)" } ?? "")
        case .decoded(let decoding): return decoding.error.map { "\(decoding.typeName) was not decoded: \($0)" }
        default: return nil
        }
    }

    private func time(_ metrics: ExchangeMetrics?) -> String {
        metrics?.total.map { " in \(DurationText.text($0))" } ?? ""
    }

    // MARK: Messages without secrets

    private mutating func head(of request: HTTPRequest) -> String {
        var head = request
        head.body = .absent
        return lines(redactor.redact(head).headers)
    }

    private mutating func lines(_ headers: HTTPHeaders) -> String {
        redactor.redact(headers).map { "\n\($0.name): \($0.value)" }.joined()
    }

    private mutating func body(of request: HTTPRequest, limit: Int?) -> String {
        let coding = request.headers["Content-Encoding"]
        guard let limit, var body = RecordedBody(request.body, coding: coding, limit: limit) else { return "" }
        let type = request.headers["Content-Type"]
        body.data = redactor.redact(body: body.data, type: type, coding: coding)
        return BodyText.text(body, type: type, coding: coding)
    }

    private mutating func body(of response: HTTPResponse, limit: Int?) -> String {
        guard let limit else { return "" }
        let coding = response.headers["Content-Encoding"]
        let type = response.headers["Content-Type"]
        var body = RecordedBody(response.body, coding: coding, limit: limit)
        redactor.rules.secrets = response.request.secrets
        body.data = redactor.redact(body: body.data, type: type, coding: coding, isAnswer: true)
        return BodyText.text(body, type: type, coding: coding)
    }

    /// A message without the secrets of earlier messages. A server's lines cannot be mistaken for lines of the log.
    mutating func message(_ id: RequestID, _ text: String) -> String {
        if let secrets = request?.secrets { redactor.secrets.formUnion(secrets.values) }
        let clean = ValueScrubber(redactor.secrets.filter { !$0.contains(Redaction.placeholder) }).scrub(text)
        return "\(id) " + clean.forLog
    }
}

extension String {
    /// The text with indented lines, and without control characters, which a terminal would execute.
    fileprivate var forLog: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\n    "
            case "\t": result += "\t"
            case "\r": break
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.properties.isBidiControl:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
