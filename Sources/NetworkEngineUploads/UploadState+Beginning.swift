import Foundation
import NetworkEngine

extension UploadState {
    /// The upload that a response begins.
    init(
        _ response: HTTPResponse,
        _ content: UploadContent,
        _ options: ResumableUploadOptions,
        _ rules: RequestRules,
        begunBy request: HTTPRequest
    ) throws(NetworkError) {
        guard let dialect = UploadDialect.answered(response, of: options.uploadProtocol.offered),
            let location = response.headers["Location"]
        else {
            throw NetworkError(
                kind: .unsupported, reason: "the server does not answer as one that resumes uploads",
                response: response, underlying: UploadFailure.notSupported)
        }
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
            let reason = "the content has \(content.length) bytes, and the server takes at most \(most)"
            throw NetworkError(kind: .limit, reason: reason, response: response)
        }
        let offset = dialect.place(in: response.headers)?.offset ?? 0
        guard offset == 0 else {
            let reason = "the server begins an upload with \(offset) bytes that were not sent"
            throw NetworkError(kind: .invalidResponse, reason: reason, response: response)
        }
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
