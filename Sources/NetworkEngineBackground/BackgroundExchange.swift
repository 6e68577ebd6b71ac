import Foundation
import NetworkEngine

/// The course of one background transfer in this process: bytes and files in, one outcome out.
///
/// A pure value. A transfer that ended before a relaunch has only the events that the system repeats.
struct BackgroundExchange: Sendable {
    /// The end of a task, as reported by its session.
    struct Ending: Sendable {
        var request: HTTPRequest
        var status: (code: Int, headers: HTTPHeaders)?
        var failure: BackgroundFailure?

        init(
            request: HTTPRequest,
            status: (code: Int, headers: HTTPHeaders)? = nil,
            failure: BackgroundFailure? = nil
        ) {
            self.request = request
            self.status = status
            self.failure = failure
        }
    }

    private let limit: Int64
    private let validation: ResponseValidation
    private var body = Data()
    private var isTooLarge = false
    private var placed: Result<HTTPResponse, NetworkError>?
    private var isOver = false

    init(limit: Int64, validation: ResponseValidation) {
        self.limit = limit
        self.validation = validation
    }

    /// Bytes of the response to an upload arrived.
    ///
    /// - Returns: whether the task may continue.
    mutating func received(_ data: Data) -> Bool {
        guard !isOver, !isTooLarge else { return !isTooLarge }
        isTooLarge = Int64(body.count) + Int64(data.count) > limit
        if isTooLarge { body = Data() } else { body.append(data) }
        return !isTooLarge
    }

    /// A download's file was placed, or could not be.
    mutating func placed(_ result: Result<HTTPResponse, NetworkError>) {
        if placed == nil, !isOver { placed = result }
    }

    /// The task has ended.
    ///
    /// - Returns: the outcome; `nil` the second time.
    mutating func ended(_ ending: Ending, of transfer: BackgroundTransfer) -> BackgroundOutcome? {
        if isOver { return nil }
        isOver = true
        return BackgroundOutcome(
            transfer: transfer,
            result: result(ending, kind: transfer.kind),
            resumeData: placed == nil ? ending.failure?.resumeData : nil
        )
    }

    private func result(
        _ ending: Ending,
        kind: BackgroundTransfer.Kind
    ) -> Result<HTTPResponse, NetworkError> {
        if let placed { return placed }
        if isTooLarge {
            let reason = "the response is larger than \(limit) bytes"
            return .failure(NetworkError(.limitExceeded, reason: reason, request: ending.request))
        }
        if let failure = ending.failure {
            return .failure(failure.error(request: ending.request, hasHead: ending.status != nil))
        }
        guard let status = ending.status else {
            let reason = "the server did not answer with HTTP"
            return .failure(NetworkError(kind: .invalidResponse, reason: reason, request: ending.request))
        }
        let response = HTTPResponse(
            statusCode: status.code, headers: status.headers, body: .data(body), request: ending.request)
        let head = ResponseHead(statusCode: status.code, headers: status.headers, method: ending.request.method)
        // Bytes received by an earlier process are lost.
        let isTruncated = kind == .upload && Int64(body.count) < head.bodyLength ?? 0
        return Result { () throws(NetworkError) in
            if !isTruncated || status.code >= 400 { try validation.check(response, standard: validation) }
            if isTruncated {
                let figures = ErrorFigures(byteCount: Int64(body.count), expectedByteCount: head.bodyLength)
                throw NetworkError(
                    .lostMidBody, reason: "the body ended before its announced length", request: ending.request,
                    figures: figures)
            }
            if kind == .download {
                throw NetworkError(kind: .invalidResponse, reason: "the system has no file", response: response)
            }
            return response
        }
    }
}
