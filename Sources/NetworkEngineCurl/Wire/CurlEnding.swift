import Foundation
import NetworkEngine

/// How an exchange ended, and its translation into what the caller gets.
struct CurlEnding: Sendable {
    enum Outcome: Sendable {
        case success
        case broken(CurlBreak, during: TransportFailure.TimeoutPhase)
        case failed(code: Int32, message: String, certificate: Int)
    }

    var outcome: Outcome
    var statusCode = 0
    var fields: [UInt8] = []
    var hasHead = false
    /// Whether this is no end, but a head whose body goes to a stream.
    var isStreaming = false
    /// Whether the body's coding was undone.
    var isDecoded = false
    var body = Data()
    var received: Int64 = 0
    var length: Int64?
    var timing = CurlTiming()
    var queued: Duration?
    /// The error of the response's file.
    var problem: (any Error)?

    /// The response or the error; removes the file of a response that did not become one.
    ///
    /// - Parameter stream: what the body is read from, when that goes on.
    func result(
        of request: HTTPRequest,
        upload: CurlUpload?,
        file: BodyFile?,
        stream: StreamBuffer?
    ) -> Result<HTTPResponse, any Error> {
        if case .success = outcome { return .success(response(to: request, upload, file, stream)) }
        file?.remove()
        if case .broken(.cancelled, _) = outcome { return .failure(CancellationError()) }
        return .failure(error(upload: upload).completed(request: request))
    }

    private func response(
        to request: HTTPRequest,
        _ upload: CurlUpload?,
        _ file: BodyFile?,
        _ stream: StreamBuffer?
    ) -> HTTPResponse {
        let headers = HTTPHeaders(lines: fields) { name in
            // What these two describe is gone.
            isDecoded
                && (name.equalsIgnoringASCIICase("Content-Encoding") || name.equalsIgnoringASCIICase("Content-Length"))
        }
        let body =
            stream.map { .stream($0.stream(length: length)) }
            ?? file.map { .file(URL(fileURLWithPath: $0.path)) } ?? ResponseBody.data(body)
        var response = HTTPResponse(statusCode: statusCode, headers: headers, body: body, request: request)
        guard stream == nil else { return response }
        response.metrics = timing.metrics(queued: queued, sent: upload?.sent ?? 0, received: received)
        return response
    }

    private func error(upload: CurlUpload?) -> NetworkError {
        switch outcome {
        case .success:
            NetworkError(kind: .transport)
        case .broken(let reason, let phase):
            broken(reason, during: phase, upload)
        case .failed(let code, let message, let certificate):
            if let failure = upload?.failure {
                .body(failure)
            } else {
                Self.error(code, message, certificate, hasHead: hasHead)
            }
        }
    }

    private static func error(_ code: Int32, _ message: String, _ certificate: Int, hasHead: Bool) -> NetworkError {
        let failure = CurlFailure.classify(code: code, message: message, certificate: certificate, hasHead: hasHead)
        let reason = SessionFailure.reason(failure, message: message)
        return NetworkError(failure, reason: reason, underlying: CurlError(code: code, message: message))
    }

    private func broken(
        _ reason: CurlBreak,
        during phase: TransportFailure.TimeoutPhase,
        _ upload: CurlUpload?
    ) -> NetworkError {
        switch reason {
        case .cancelled:
            NetworkError(kind: .cancelled)
        case .interrupted:
            NetworkError(
                .timeout(phase), reason: "no byte was sent or received in time, during the phase \(phase.rawValue)")
        case .shutDown:
            NetworkError(kind: .cancelled, reason: "the transport was shut down")
        case .loopFailed(let why):
            NetworkError(lost(during: phase), reason: "the transport's event loop failed and was made again: \(why)")
        case .mixedUp:
            NetworkError(lost(during: phase), reason: "libcurl sent two requests on one connection by HTTP/1.1")
        case .repeated:
            NetworkError(lost(during: phase), reason: "libcurl sent the request again after the head of a response")
        case .followed:
            NetworkError(.lostMidBody, reason: "the rest of the redirect's body was dropped")
        case .bodyTooLarge(let limit):
            NetworkError(.limitExceeded, reason: "the response's body is larger than the limit of \(limit) bytes")
        case .headTooLarge(let limit):
            NetworkError(.limitExceeded, reason: "the response's head is larger than \(limit) bytes")
        case .violation(let rule):
            NetworkError(.protocolViolation, reason: rule)
        case .coding(let fault):
            NetworkError(.contentCoding, reason: fault)
        case .cannotStore:
            NetworkError(kind: .transport, reason: "the body could not be written to its file", underlying: problem)
        case .cannotRead:
            .body(upload?.failure)
        case .backlogFull(let limit):
            NetworkError(.limitExceeded, reason: "more than \(limit) bytes wait for the stream's reader: streamBacklog")
        case .pinMismatch:
            NetworkError(.tlsCertificate(.pinMismatch), reason: "the server's certificate has none of the pins")
        case .unsupported(let what):
            .unsupported(what)
        }
    }
}

extension CurlEnding {
    /// A connection that was lost in a phase.
    fileprivate func lost(during phase: TransportFailure.TimeoutPhase) -> TransportFailure {
        if hasHead { return .lostMidBody }
        return phase == .queue || phase == .connect ? .connect : .lostBeforeResponse
    }
}

extension NetworkError {
    fileprivate static func body(_ failure: (any Error)?) -> NetworkError {
        NetworkError(.requestBody, reason: "the request's body could not be read", underlying: failure)
    }
}
