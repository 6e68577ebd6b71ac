/// Why the framework ends an exchange that the platform would continue.
package enum AbortReason: Hashable, Sendable {
    case cancelled
    /// The timeout or the deadline has passed.
    case timedOut
    case shutDown
    case queueFull(limit: Int)
    /// The connection or the event loop became unusable, for this reason.
    case lost(String)
    case bodyTooLarge(limit: Int64)
    case headTooLarge(limit: Int)
    /// The reader of a streamed body is too far behind.
    case backlogFull(limit: Int64)
    case violation(String)
    case contentCoding(String)
    /// The response is not an HTTP response, which a session's custom URL protocol can cause.
    case notHTTP
    case certificate(TransportFailure.CertificateProblem, String)
    /// The response body cannot be stored.
    case cannotStore
    /// The request body cannot be read.
    case cannotRead
    /// The process has no free descriptors, or memory is low.
    case lacksDescriptors
    /// The platform does not accept an option.
    case unsupported(String)
}

extension NetworkError {
    /// The error of an aborted exchange. A canceled exchange throws `CancellationError` instead.
    init(
        _ reason: AbortReason,
        during phase: TransportFailure.TimeoutPhase,
        hasHead: Bool,
        underlying: (any Error)?
    ) {
        switch reason {
        case .cancelled:
            self.init(kind: .cancelled)
        case .timedOut:
            self.init(
                .timeout(phase), reason: "no byte was sent or received in time, during the phase \(phase.rawValue)")
        case .shutDown:
            self.init(kind: .cancelled, reason: "the transport was shut down")
        case .queueFull(let limit):
            self.init(kind: .limit, reason: "\(limit) requests wait already, which is the queueLimit")
        case .lost(let reason):
            let isUnsent = phase == .queue || phase == .connect
            self.init(hasHead ? .lostMidBody : isUnsent ? .connect : .lostBeforeResponse, reason: reason)
        case .bodyTooLarge(let limit):
            self.init(.limitExceeded, reason: "the response's body is larger than the limit of \(limit) bytes")
        case .headTooLarge(let limit):
            self.init(.limitExceeded, reason: "the response's head is larger than \(limit) bytes")
        case .backlogFull(let limit):
            self.init(.limitExceeded, reason: "more than \(limit) bytes wait for the stream's reader: streamBacklog")
        case .violation(let rule):
            self.init(.protocolViolation, reason: rule)
        case .contentCoding(let fault):
            self.init(.contentCoding, reason: fault)
        case .notHTTP:
            self.init(kind: .invalidResponse, reason: "the response is not an HTTP response")
        case .certificate(let problem, let reason):
            self.init(.tlsCertificate(problem), reason: reason)
        case .cannotStore:
            self.init(kind: .transport, reason: "the body could not be written to its file", underlying: underlying)
        case .cannotRead:
            self = .unreadableBody(underlying)
        case .lacksDescriptors:
            self = .lacksDescriptors
        case .unsupported(let option):
            self = .unsupported(option)
        }
    }

    /// The error of a request that got no connection because of this machine, which is not the host's fault.
    package static var lacksDescriptors: NetworkError {
        NetworkError(
            .limitExceeded, reason: "no descriptor is free for a connection: the process or the system has no more")
    }

    /// The error of a request to a transport that was already shut down.
    package static var transportIsShutDown: NetworkError {
        .unsupported("the transport was shut down; a new one is needed")
    }

    /// The error of a request with a stream that does not have the announced length.
    ///
    /// - Parameter count: the number of bytes, or a lower bound of it.
    package static func wrongLength(of label: String, _ count: Int64, announced: Int64) -> NetworkError {
        NetworkError(
            .requestBody,
            reason: "\(label)'s stream gave another number of bytes than it had announced",
            figures: ErrorFigures(byteCount: count, expectedByteCount: announced)
        )
    }

    /// The error of a request with an unreadable body.
    static func unreadableBody(_ underlying: (any Error)?) -> NetworkError {
        NetworkError(.requestBody, reason: "the request's body could not be read", underlying: underlying)
    }
}
