import Foundation
import NetworkEngine

/// How a WebSocket over the system's session ended, as reported by its task and delegate.
///
/// A pure value. The first error explains the end. Later ones are only consequences, such as the task's cancellation.
struct WebSocketEnding: Sendable {
    /// The next step after a pending `receive` has failed.
    enum Step: Hashable, Sendable {
        /// The task is canceled.
        case cancel
        /// The other end's close frame is still expected.
        case wait
    }

    private(set) var closeOfOther: WebSocketClose?
    private(set) var closeOfThis: WebSocketClose?
    private(set) var hasEnded = false
    private var refusal: TransportFailure.CertificateProblem?
    private var failure: NetworkError?
    private var error: (any Error)?

    init() {}

    var close: WebSocketClose? { closeOfOther ?? closeOfThis }

    var isClosing: Bool { closeOfThis != nil }

    /// This end closes the connection.
    ///
    /// - Returns: whether to send its frame: the connection is open, and no other frame was sent.
    mutating func closes(with frame: WebSocketClose) -> Bool {
        guard !hasEnded, closeOfThis == nil else { return false }
        closeOfThis = frame
        return true
    }

    /// The other end sent a close frame.
    mutating func closed(_ frame: WebSocketClose) { closeOfOther = frame }

    /// The server's certificate was rejected.
    mutating func refused(_ problem: TransportFailure.CertificateProblem) { refusal = problem }

    /// This end gives up for the given reason.
    mutating func givesUp(_ reason: NetworkError) { failure = failure ?? reason }

    /// A pending `receive` failed.
    mutating func receiveFailed(_ error: any Error) -> Step {
        // The system's task ends with a different error, which lacks the reason.
        self.error = self.error ?? error
        return closeOfThis == nil ? .cancel : .wait
    }

    /// The task ended.
    ///
    /// - Parameters:
    ///   - closeCode: the task's code; 0 without a close frame.
    ///   - reason: the task's reason.
    mutating func ended(_ error: (any Error)?, closeCode: Int, reason: Data?) {
        hasEnded = true
        self.error = self.error ?? error
        // The delegate is not always called for a frame that arrives together with the end of the connection.
        if closeOfOther == nil, closeOfThis == nil, closeCode != 0 {
            closeOfOther = WebSocketClose(reportedBySystem: closeCode, reason: reason)
        }
    }

    /// The error that a reader receives; `nil` after a normal close.
    func outcome(of request: HTTPRequest, _ options: WebSocketOptions) -> NetworkError? {
        if let failure { return failure }
        if closeOfThis != nil { return nil }
        guard let closeOfOther else { return reason(of: request, options, hasHead: true) }
        return closeOfOther.isNormal ? nil : NetworkError(closeOfOther, request: request)
    }

    /// The reason for an end without a close frame.
    ///
    /// - Parameter later: the error of a message or ping, which is used if the connection has none.
    func reason(
        of request: HTTPRequest,
        _ options: WebSocketOptions,
        hasHead: Bool,
        later: (any Error)? = nil
    ) -> NetworkError {
        let error = error ?? later
        if let failure { return failure }
        if let refusal {
            let problem = TransportFailure.tlsCertificate(refusal)
            return NetworkError(problem, reason: problem.reason(message: ""), request: request, underlying: error)
        }
        if let error = error as NSError?, error.domain == NSPOSIXErrorDomain, error.code == Int(EMSGSIZE) {
            let reason = "a message is larger than the limit of \(options.messageLimit) bytes"
            return NetworkError(kind: .limit, reason: reason, request: request, underlying: error)
        }
        return SessionFailure.error(error, hasHead: hasHead).completed(request: request)
    }
}

extension WebSocketClose {
    /// The close frame for a code reported by the system's session. 0 means a frame without a code.
    init(reportedBySystem code: Int, reason: Data?) {
        self.init(
            code: UInt16(exactly: code).flatMap { $0 == 0 ? nil : $0 } ?? 1005,
            reason: String(decoding: reason ?? Data(), as: UTF8.self))
    }
}

extension URL {
    /// The same URL with the scheme `ws` or `wss`, which the system's WebSocket task requires. For other schemes it
    /// raises an exception, which Swift cannot catch.
    var withWebSocketScheme: URL {
        guard let scheme, ["http", "https"].contains(scheme.lowercased()) else { return self }
        let rest = absoluteString.dropFirst(scheme.count)
        return URL(string: (scheme.lowercased() == "https" ? "wss" : "ws") + rest) ?? self
    }
}
