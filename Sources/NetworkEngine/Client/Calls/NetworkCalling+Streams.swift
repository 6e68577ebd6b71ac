/// Streams: bodies that are read while they arrive.
extension NetworkCalling {
    /// Returns the head of a successful response, with a body that is read while it arrives, with the errors of the
    /// calls.
    public func stream(_ request: Request) async throws(Failure) -> MappedSequence<ResponseStream, Failure> {
        let stream = try await run(request, .stream, settings: CallSettings())
        return MappedSequence(stream) { mappedAny($0) }
    }

    /// Every sequence of a call throws `NetworkError` only.
    package func mappedAny(_ error: any Error) -> Failure {
        mapped(error as? NetworkError ?? NetworkError(kind: .transport, underlying: error))
    }
}

extension NetworkCalling where Failure == NetworkError {
    /// Returns the head of a successful response, with a body that is read while it arrives.
    ///
    /// Attempts, redirects and the deadline apply until the head arrives. The timeout limits the time without any byte.
    /// After the head it runs only while a reader waits for bytes.
    public func stream(_ request: Request) async throws(NetworkError) -> ResponseStream {
        try await run(request, .stream, settings: CallSettings())
    }
}
