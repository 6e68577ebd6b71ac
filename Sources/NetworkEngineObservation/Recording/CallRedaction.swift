import Foundation
import NetworkEngine

/// Converts recorded exchanges into entries without secrets.
///
/// All calls are searched for secrets first, so that a secret found in one call is removed from all of them.
struct CallRedaction: Sendable {
    private var redactor = MessageRedactor()
    private let scrubber: SecretScrubber

    init(_ calls: [RecordedCall]) {
        for call in calls {
            for exchange in call.exchanges { _ = redactor.redacted(exchange, of: call) }
            _ = redactor.redact(call.start.request)
        }
        scrubber = SecretScrubber(found: redactor.secrets)
    }

    mutating func entry(for exchange: RecordedExchange, of call: RecordedCall) -> HAREntry {
        scrubber.scrub(redactor.redacted(exchange, of: call))
    }

    /// The address that a call started with.
    mutating func address(of call: RecordedCall) -> String {
        scrubber.scrub(redactor.redact(call.start.request).url.absoluteString)
    }

    func scrub(_ text: String) -> String { scrubber.scrub(text) }
}

extension MessageRedactor {
    fileprivate mutating func redacted(_ exchange: RecordedExchange, of call: RecordedCall) -> HAREntry {
        var entry = HAREntry(exchange, of: call, request: redact(exchange.request))
        entry.response = redact(entry.response, to: exchange.request.secrets)
        return entry
    }
}
