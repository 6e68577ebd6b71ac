#if !canImport(FoundationNetworking)
import Foundation
import NetworkEngine
// A server may send any other code.
private func seededMistake(_ code: URLSessionWebSocketTask.CloseCode) -> Bool {
    switch code {
    case .invalid, .noStatusReceived, .abnormalClosure, .tlsHandshakeFailure: false
    case .normalClosure, .goingAway, .protocolError, .unsupportedData, .invalidFramePayloadData, .policyViolation,
        .messageTooBig, .mandatoryExtensionMissing, .internalServerError:
        true
    }
}
#endif
