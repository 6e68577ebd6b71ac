import Foundation
import NetworkEngine

extension UploadState {
    /// The upload that a response creates.
    ///
    /// Some draft servers announce an upload with a 104, and respond with a 201 that contains only its URL. So do
    /// servers without resumable uploads, so such an upload is not stored until the server has returned its offset.
    init(
        _ response: HTTPResponse,
        _ content: UploadContent,
        _ options: ResumableUploadOptions,
        _ rules: RequestRules,
        begunBy request: HTTPRequest
    ) throws(NetworkError) {
        let offered = options.uploadProtocol.offered
        guard let dialect = UploadDialect.answered(response, of: offered) ?? .silent(response, of: offered),
            let location = response.headers["Location"]
        else { throw .withoutUploads(response) }
        guard let named = URL(string: location, relativeTo: response.request.url)?.absoluteURL,
            named.addressFault == nil
        else {
            throw NetworkError(
                kind: .invalidResponse, reason: "the address of the upload is not valid", response: response)
        }
        // A state with a URL that is rejected later would have to be removed manually.
        let link = ServerLink(named, to: "the upload", in: response)
        let address = try request.addressed(to: link, options, rules).url
        if let most = UploadDialect.limit("max-size", in: response.headers), content.length > most {
            let figures = ErrorFigures(byteCount: content.length, expectedByteCount: most)
            throw NetworkError(
                kind: .limit, reason: "the content is larger than the server accepts", response: response,
                figures: figures)
        }
        let offset = dialect.place(in: response.headers)?.offset ?? 0
        guard offset == 0 else { throw .beginning(withBytes: offset, response) }
        self.init(
            address: address, length: content.length, offset: 0, dialect: dialect,
            fingerprint: content.fingerprint, request: request.identity,
            pieceLimit: UploadDialect.limit("max-append-size", in: response.headers).map { max(1, $0) })
    }
}

extension UploadState {
    /// The server's error response to the last bytes in an earlier call.
    func refusal(_ response: HTTPResponse) -> NetworkError? {
        refusedStatus.map {
            let reason = "the server has all bytes, and had answered them with the status \($0)"
            return NetworkError(kind: .invalidResponse, reason: reason, response: response)
        }
    }
}

extension NetworkError {
    /// The error for a server that does not support resumable uploads.
    ///
    /// - Parameter response: the response to the request that creates an upload.
    static func withoutUploads(_ response: HTTPResponse) -> NetworkError {
        NetworkError(
            kind: .unsupported, reason: "the server does not answer as one that resumes uploads", response: response,
            underlying: UploadFailure.notSupported)
    }

    static func beginning(withBytes offset: Int64, _ response: HTTPResponse) -> NetworkError {
        NetworkError(
            kind: .invalidResponse, reason: "the server begins an upload with bytes that were not sent",
            response: response, underlying: UploadFailure.contradictoryRecord,
            figures: ErrorFigures(byteCount: offset, expectedByteCount: 0))
    }
}
