#if canImport(os)
public import NetworkEngine
import os

/// Shows calls and exchanges as intervals in Instruments.
///
/// ```swift
/// configuration.observers = [SignpostObserver()]
/// ```
/// An interval begins and ends when its event is delivered, shortly after it occurred. Texts contain the method, the
/// host and the target's template, but neither paths nor queries.
public struct SignpostObserver: NetworkObserver {
    private let signposter: OSSignposter

    /// - Parameter subsystem: the signposts' subsystem, such as the app's bundle identifier.
    public init(subsystem: String = "NetworkEngine", category: String = "Network") {
        signposter = OSSignposter(subsystem: subsystem, category: category)
    }

    public func handle(_ event: NetworkEvent) {
        guard signposter.isEnabled else { return }
        // Exchanges are numbered from 1; 0 is the call.
        let id = OSSignpostID(event.callID.rawValue << 16 | UInt64(truncatingIfNeeded: event.exchange) & 0xFFFF)
        switch event.kind {
        case .callStarted(let start):
            let text = Self.text(start.request, start.template)
            _ = signposter.beginInterval("Call", id: id, "\(text, privacy: .public)")
        case .callEnded(let end):
            let text = Self.text(end.result)
            signposter.endInterval("Call", .beginState(id: id), "\(text, privacy: .public)")
        case .exchangeStarted(let request):
            let text = Self.text(request, nil)
            _ = signposter.beginInterval("Exchange", id: id, "\(text, privacy: .public)")
        case .exchangeEnded(let end):
            let text = Self.text(end.result)
            signposter.endInterval("Exchange", .beginState(id: id), "\(text, privacy: .public)")
        case .retryDecided(let choice):
            let text = choice.reason.rawValue
            signposter.emitEvent("Retry", id: id, "\(text, privacy: .public)")
        case .cacheAnswered(let answer):
            let text = answer.outcome.rawValue
            signposter.emitEvent("Cache", id: id, "\(text, privacy: .public)")
        default: break
        }
    }

    private static func text(_ request: HTTPRequest, _ template: String?) -> String {
        let server = ServerAddress(request.url)
        return [TelemetryLabels.method(request.method), server.host, template].compactMap(\.self).joined(separator: " ")
    }

    private static func text(_ result: Result<HTTPResponse, NetworkError>) -> String {
        let labels = OutcomeLabels(result)
        return labels.errorType ?? labels.statusCode.map(String.init) ?? "ended"
    }
}
#endif
