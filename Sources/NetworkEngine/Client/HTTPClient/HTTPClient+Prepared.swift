extension HTTPClient {
    /// Sends a prepared request to the address that it contains and returns the decoded value.
    ///
    /// - Parameter isGuest: whether another library chose the address and validates the response.
    @concurrent
    package func run<Value: Sendable>(
        _ request: HTTPRequest,
        _ decoding: ResponseDecoding<Value>,
        cachePolicy: CachePolicy,
        isGuest: Bool = false
    ) async throws(NetworkError) -> Value {
        let task: NetworkTask =
            if case .file(let destination, _) = decoding.delivery { .downloadDestination(destination) } else {
                .requestPlain
            }
        let target = ClientTarget(
            .prepared(request), below: baseURL, task: task, cachePolicy: cachePolicy, isGuest: isGuest)
        return try await engine.run(target, decoding, settings: CallSettings()) {
            builder, base throws(NetworkError) in
            try target.request(by: builder, below: base)
        }
    }
}
