import NetworkEngine

/// What is known in a call that uploads content, between two of its requests.
struct UploadRun {
    /// An answer to bytes that does not confirm them.
    struct Unconfirmed {
        let error: NetworkError
        /// The answer of the call, if the server has all bytes.
        let answer: UndecodedAnswer?
    }

    /// The upload, once it was begun.
    var state: UploadState?
    /// Whether the state's offset is that of the server. After a failure and in a new process the server is asked.
    var isLocated = false
    /// Whether an upload is continued, so that the server may have another offset.
    var isContinued = true
    var failures = 0
    var attempt = 1
    var pause: Duration?
    /// The error with which the server answered the last bytes.
    var refusal: NetworkError?
    /// The latest bytes were answered without being confirmed.
    var unconfirmed: Unconfirmed?
    /// The answer that began the upload, until the server has told the offset of an upload.
    var unproved: HTTPResponse?

    /// Counts a failure. Throws it if there were too many in a row.
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
    /// Whether the request that begins an upload is sent again.
    ///
    /// It carries no content. If the address of an upload was lost, that upload is an empty one, which the server
    /// removes after a while. Content without bytes is an exception: for a tus server its upload is complete.
    func mayBegin(_ content: UploadContent?, after error: NetworkError) -> Bool {
        // Statuses about an upload in use. A request that begins one is refused by them.
        let statuses = statuses.subtracting([409, 423])
        guard error.isTemporary(statuses: statuses) else { return false }
        guard content?.length == 0, uploadProtocol.offered.contains(.tus) else { return true }
        let cause = RetryCause(error.networkCause ?? error, statuses: statuses)
        return cause == .neverApplied || cause == .throttled
    }
}
