import Foundation
import NetworkEngineJSON

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension NetworkError {
    /// The error of a canceled call.
    package static func cancelled(_ request: HTTPRequest?) -> NetworkError {
        NetworkError(kind: .cancelled, request: request)
    }

    /// Wraps an error thrown by code outside the engine.
    ///
    /// - Parameter other: the result for an error that is neither a `NetworkError` nor a cancellation.
    package static func wrapping(
        _ error: any Error,
        request: HTTPRequest? = nil,
        response: HTTPResponse? = nil,
        as other: @autoclosure () -> NetworkError
    ) -> NetworkError {
        switch error {
        case let error as NetworkError: error.completed(request: request, response: response)
        case is CancellationError: .cancelled(request ?? response?.request)
        default: other()
        }
    }

    /// Wraps a transport's error. An unknown error has the kind `.transport`.
    package static func transport(_ error: any Error, request: HTTPRequest) -> NetworkError {
        if let error = error as? URLError, let refusal = NetworkError(refusal: error) {
            return refusal.completed(request: request)
        }
        if let error = error as? URLError, let failure = TransportFailure(error.code) {
            return NetworkError(
                failure, reason: "URLError \(error.errorCode)", request: request, underlying: error)
        }
        return wrapping(
            error,
            request: request,
            as: NetworkError(
                kind: .transport,
                reason: "the transport threw \(type(of: error))",
                request: request,
                underlying: error
            )
        )
    }
}

extension NetworkError {
    /// Wraps a decoding error.
    ///
    /// - Parameter hint: a hint if the body is not JSON.
    package static func decoding(
        _ error: any Error, of response: HTTPResponse, isJSON: Bool = true, hint: @autoclosure () -> String = ""
    ) -> NetworkError {
        switch error {
        case let error as NetworkError: error.completed(response: response)
        case is CancellationError: .cancelled(response.request)
        case let error as DecodingError:
            NetworkError(
                kind: .decoding,
                reason: error.explanation(of: response.data, isJSON: isJSON, hint: hint()),
                response: response,
                underlying: error.withoutSecrets(of: response.data)
            )
        default:
            NetworkError(
                kind: .decoding,
                reason: "the decoding threw \(Swift.type(of: error))",
                response: response,
                underlying: error
            )
        }
    }
}

extension NetworkError {
    /// The error of a call that exceeded its deadline.
    ///
    /// - Parameters:
    ///   - deadline: the deadline, which records where the time went.
    ///   - isQueued: whether the request was waiting for admission, so that the error is not the host's fault.
    ///   - isAhead: whether some time is left, but not enough.
    package static func deadlinePassed(
        _ request: HTTPRequest? = nil,
        of deadline: Deadline? = nil,
        isQueued: Bool = false,
        isAhead: Bool = false
    ) -> NetworkError {
        let wasQueued = isQueued || deadline?.isInQueue == true
        let cause = wasQueued ? NetworkError(.timeout(.queue), reason: "the request was waiting to be sent") : nil
        let spent = deadline?.timeSpent
        let end = isAhead ? "the call's deadline cannot be met" : "the call's deadline has passed"
        return NetworkError(
            .timeout(.deadline),
            reason: spent?.mostOfIt.map { "\(end), and most of its time went into \($0)" } ?? end,
            request: request,
            underlying: cause,
            figures: ErrorFigures(timeSpent: spent)
        )
    }

    /// Adds the time spent to a deadline error, such as one from an interceptor that waits.
    func measured(by deadline: Deadline?) -> NetworkError {
        guard transportFailure == .timeout(.deadline), figures.timeSpent == nil, let spent = deadline?.timeSpent
        else { return self }
        return changing { $0.figures.timeSpent = spent }
    }

    /// Whether the time ran out before the request was sent.
    package var isTimeoutInQueue: Bool {
        transportFailure == .timeout(.queue) || (underlying as? NetworkError)?.transportFailure == .timeout(.queue)
    }

    /// Whether all or most of the time was spent in the queues of this process.
    var isOwnDelay: Bool { isTimeoutInQueue || figures.timeSpent?.isMostlyQueued == true }

    /// The error of an exchange without any bytes in either direction within the timeout.
    static func timedOut(
        after timeout: Duration,
        during phase: TransportFailure.TimeoutPhase = .attempt,
        _ request: HTTPRequest? = nil,
        underlying: (any Error)? = nil
    ) -> NetworkError {
        NetworkError(
            .timeout(phase),
            reason: "no byte was sent or received in time, during the phase \(phase.rawValue)",
            request: request,
            underlying: underlying,
            figures: ErrorFigures(timeout: timeout)
        )
    }
}

extension TimeSpent {
    /// What took most of the time; `nil` if no time has passed.
    fileprivate var mostOfIt: String? {
        let parts = [
            (queue, "the queue of a limit of this client"), (permit, "the queue of the transport"),
            (connect, "connecting"), (server, "waiting for the server"),
            (other, "interceptors, pauses and decoding"),
        ]
        return parts.max { $0.0 < $1.0 }.flatMap { $0.0 > .zero ? $0.1 : nil }
    }
}

extension Error {
    /// The error without secrets in the addresses of its `userInfo`.
    ///
    /// A `URLError` contains and prints the whole address. Its type, domain and code are unchanged.
    func withoutSecretAddresses(hiding secrets: RequestSecrets?) -> any Error {
        if let error = self as? URLError {
            let info = (error as NSError).userInfo
            return info.isEmpty ? error : URLError(error.code, userInfo: info.withoutSecretAddresses(hiding: secrets))
        }
        guard type(of: self) == NSError.self else { return self }
        let error = self as NSError
        return error.userInfo.isEmpty
            ? error
            : NSError(
                domain: error.domain, code: error.code, userInfo: error.userInfo.withoutSecretAddresses(hiding: secrets)
            )
    }
}

extension [String: Any] {
    fileprivate func withoutSecretAddresses(hiding secrets: RequestSecrets?) -> [String: Any] {
        mapValues { value in
            switch value {
            case let url as URL where url.isFileURL: url
            case let url as URL: URL(string: url.shown(hiding: secrets)) as Any? ?? Redaction.placeholder
            case let text as String: Redaction.describe(text: text, hiding: secrets)
            case let error as any Error: error.withoutSecretAddresses(hiding: secrets)
            case let errors as [any Error]: errors.map { $0.withoutSecretAddresses(hiding: secrets) }
            default: value
            }
        }
    }
}

extension URL {
    /// The address for display, with placeholders that are legal in a URL.
    fileprivate func shown(hiding secrets: RequestSecrets?) -> String {
        Redaction.describe(self, hiding: secrets)
            .replacing(Redaction.placeholder, with: Redaction.placeholderInAddress)
    }
}
