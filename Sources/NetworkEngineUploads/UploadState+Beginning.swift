import Foundation
import NetworkEngine

extension UploadState {
    /// The upload that a response begins.
    init(
        _ response: HTTPResponse,
        _ content: UploadContent,
        _ options: ResumableUploadOptions,
        request identity: String
    ) throws(NetworkError) {
        guard let dialect = UploadDialect.answered(response, of: options.uploadProtocol.offered),
            let location = response.headers["Location"]
        else {
            throw NetworkError(
                kind: .unsupported, reason: "the server does not answer as one that resumes uploads",
                response: response, underlying: UploadFailure.notSupported)
        }
        guard let address = URL(string: location, relativeTo: response.request.url)?.absoluteURL,
            ["http", "https"].contains(address.scheme?.lowercased()), address.host != nil
        else {
            throw NetworkError(
                kind: .invalidResponse, reason: "the address of the upload is not valid", response: response)
        }
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
            fingerprint: content.fingerprint, request: identity,
            pieceLimit: UploadDialect.limit("max-append-size", in: response.headers).map { max(1, $0) })
    }
}
