import Foundation
import NetworkEngine

extension UploadState {
    /// The upload that a response begins.
    ///
    /// Some servers of the draft announce an upload with a 104, and answer with a 201 that has only its address. So do
    /// servers without uploads that resume: such an upload is not kept before the server has told its offset.
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
        // A state with an address that is refused later would have to be removed by hand.
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
    /// The error with which the server had answered the last bytes in an earlier call.
    func refusal(_ response: HTTPResponse) -> NetworkError? {
        refusedStatus.map {
            let reason = "the server has all bytes, and had answered them with the status \($0)"
            return NetworkError(kind: .invalidResponse, reason: reason, response: response)
        }
    }
}

extension NetworkError {
    /// The error of a server that does not resume uploads.
    ///
    /// - Parameter response: the response to the request that begins an upload.
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
