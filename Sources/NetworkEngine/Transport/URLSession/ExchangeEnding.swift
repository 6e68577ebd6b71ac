import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How an exchange ended, and its translation into what the caller gets.
struct ExchangeEnding: Sendable {
    let outcome: Transfer.Outcome
    let head: ResponseHead?
    let received: Int64
    let body: Data
    let timing: ExchangeTiming
    /// The session's error, or that of the file that the body should have gone to.
    let problem: (any Error)?

    /// The response or the error; removes the file of a response that did not become one.
    func result(of request: HTTPRequest, upload: UploadBody?, file: BodyFile?) -> Result<HTTPResponse, any Error> {
        if case .success = outcome, let head {
            let body = file.map { ResponseBody.file(URL(fileURLWithPath: $0.path)) } ?? .data(body)
            var response = HTTPResponse(
                statusCode: head.statusCode, headers: head.headers, body: body, request: request)
            response.metrics = timing.metrics(sent: upload?.sent, received: received)
            return .success(response)
        }
        file?.remove()
        if case .stopped(.cancelled, _) = outcome { return .failure(CancellationError()) }
        return .failure(error(upload: upload).completed(request: request))
    }

    private func error(upload: UploadBody?) -> NetworkError {
        switch outcome {
        case .success, .noResponse:
            NetworkError(.lostBeforeResponse, reason: "the session ended the exchange without a response")
        case .truncated:
            NetworkError(
                .lostMidBody,
                reason: "the body ended after \(received) of \(head?.bodyLength ?? 0) bytes",
                underlying: problem
            )
        case .stopped(let reason, let phase): stopped(reason, during: phase)
        case .failed:
            if let failure = upload?.failure {
                NetworkError(.requestBody, reason: "the request's body could not be read", underlying: failure)
            } else {
                sessionFailure
            }
        }
    }

    private func stopped(_ reason: Transfer.StopReason, during phase: TransportFailure.TimeoutPhase) -> NetworkError {
        switch reason {
        case .cancelled:
            NetworkError(kind: .cancelled)
        case .interrupted:
            NetworkError(
                .timeout(phase), reason: "no byte was sent or received in time, during the phase \(phase.rawValue)")
        case .shutDown:
            NetworkError(kind: .cancelled, reason: "the transport was shut down")
        case .tooLarge(let limit):
            NetworkError(.limitExceeded, reason: "the response's body is larger than the limit of \(limit) bytes")
        case .backlogFull(let limit):
            NetworkError(.limitExceeded, reason: "more than \(limit) bytes wait for the stream's reader: streamBacklog")
        case .violation(let rule):
            NetworkError(.protocolViolation, reason: rule)
        case .unchecked(let coding):
            NetworkError(
                .contentCoding,
                reason: "URLSession on Linux cannot tell whether a body in the content coding "
                    + "\(coding.prefix(20).debugDescription) is whole"
            )
        case .queueFull(let limit):
            NetworkError(kind: .limit, reason: "\(limit) requests wait already, which is the queueLimit")
        case .certificate(let problem):
            NetworkError(.tlsCertificate(problem), reason: "the server's certificate was not accepted: \(problem)")
        case .notHTTP:
            NetworkError(kind: .invalidResponse, reason: "what came back is not an HTTP response")
        case .cannotStore:
            NetworkError(kind: .transport, reason: "the body could not be written to its file", underlying: problem)
        }
    }

    private var sessionFailure: NetworkError {
        let error = problem as? URLError
        let message = error?.localizedDescription ?? ""
        let failure = SessionFailure.classify(code: error?.code ?? .unknown, message: message, hasHead: head != nil)
        return NetworkError(failure, reason: SessionFailure.reason(failure, message: message), underlying: problem)
    }
}
