import NetworkEngine

extension UploadFailure {
    /// Whether the state can no longer be used.
    var endsUpload: Bool {
        switch self {
        case .forgotten, .contentChanged, .offsetWentBack, .contradictoryRecord, .responseLost: true
        case .notSupported, .otherRequest: false
        }
    }
}

extension NetworkError {
    /// Whether the status came from the upload's server, and not from another server, such as the token server.
    var isAnswer: Bool {
        guard kind == .status || kind == .invalidResponse, let response else { return false }
        return [.head, .patch, .delete].contains(response.request.method)
    }

    /// Whether the server does not have the upload.
    var isAboutMissing: Bool { isAnswer && kind == .status && (statusCode == 404 || statusCode == 410) }

    /// Why an upload cannot continue.
    private var uploadFailure: UploadFailure? { isAboutMissing ? .forgotten : nestedFailure }

    private var nestedFailure: UploadFailure? {
        underlying as? UploadFailure ?? (underlying as? NetworkError)?.nestedFailure
    }

    /// Returns the error with the reason why an upload cannot continue as `underlying`.
    ///
    /// - Parameter isBeginning: whether the server has not created an upload yet, so that a 404 has another meaning.
    func naming(_ isBeginning: Bool) -> NetworkError {
        guard !isBeginning, !(underlying is UploadFailure), let failure = uploadFailure else { return self }
        let words =
            failure == .forgotten
            ? (kind, "the server does not know the upload any more")
            : (.invalidRequest, "the content has changed while it was sent")
        return NetworkError(
            kind: words.0, reason: words.1, request: request, response: response, underlying: failure,
            attempts: attempts)
    }
}
