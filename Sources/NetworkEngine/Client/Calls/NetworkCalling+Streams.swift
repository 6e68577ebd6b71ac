/// Streams: bodies that you read while they arrive.
extension NetworkCalling {
    /// Returns a successful response as soon as its head arrives, as a stream that throws the mapped errors.
    public func stream(_ request: Request) async throws(Failure) -> MappedSequence<ResponseStream, Failure> {
        let stream = try await run(request, .stream, settings: CallSettings())
        return MappedSequence(stream) { mappedAny($0) }
    }

    /// All sequences of a call throw only `NetworkError`.
    package func mappedAny(_ error: any Error) -> Failure {
        mapped(error as? NetworkError ?? NetworkError(kind: .transport, underlying: error))
    }
}

extension NetworkCalling where Failure == NetworkError {
    /// Returns a successful response as soon as its head arrives, with a body that you read while it arrives.
    ///
    /// Attempts, redirects and the deadline apply until the head arrives. The timeout limits the time without any
    /// bytes. After the head it runs only while a reader waits for bytes.
    public func stream(_ request: Request) async throws(NetworkError) -> ResponseStream {
        try await run(request, .stream, settings: CallSettings())
    }
}
