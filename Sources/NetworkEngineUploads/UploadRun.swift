import NetworkEngine

/// The state of an upload call between two of its requests.
struct UploadRun {
    /// A response to bytes that does not confirm them.
    struct Unconfirmed {
        let error: NetworkError
        /// The call's answer, if the server has all bytes.
        let answer: UndecodedAnswer?
    }

    /// The upload, once it was created.
    var state: UploadState?
    /// Whether the state's offset matches the server's. After a failure and in a new process it is requested again.
    var isLocated = false
    /// Whether this continues an upload, so that the server may have a different offset.
    var isContinued = true
    var failures = 0
    var attempt = 1
    var pause: Duration?
    /// The server's error response to the last bytes.
    var refusal: NetworkError?
    /// The latest bytes were answered without being confirmed.
    var unconfirmed: Unconfirmed?
    /// The response that created the upload, until the server has returned the upload's offset.
    var unproved: HTTPResponse?

    /// Counts a failure. Throws it after too many consecutive failures.
    mutating func note(_ error: NetworkError, _ options: ResumableUploadOptions) throws(NetworkError) {
        failures += 1
        attempt += 1
        (isLocated, isContinued) = (false, true)
        if failures > max(0, options.failureLimit) { throw error }
    }

    func pause(after error: NetworkError, _ options: ResumableUploadOptions) -> Duration {
        let isThrottled = RetryCause(error.networkCause ?? error, statuses: options.statuses) == .throttled
        let pause = options.backoff.pause(
            retry: failures - 1, previous: pause, isThrottled: isThrottled, random: options.random)
        return max(pause, min(error.retryAfter ?? .zero, options.backoff.cap))
    }
}

extension ResumableUploadOptions {
    /// Whether to repeat the request that creates an upload.
    ///
    /// It has no content. If the upload's URL was lost, that upload is empty, and the server removes it after a while.
    /// Empty content is an exception: for a tus server its upload is complete.
    func mayBegin(_ content: UploadContent?, after error: NetworkError) -> Bool {
        // Statuses about an upload in use. For a request that creates an upload, they are final.
        let statuses = statuses.subtracting([409, 423])
        guard error.isTemporary(statuses: statuses) else { return false }
        guard content?.length == 0, uploadProtocol.offered.contains(.tus) else { return true }
        let cause = RetryCause(error.networkCause ?? error, statuses: statuses)
        return cause == .neverApplied || cause == .throttled
    }
}
