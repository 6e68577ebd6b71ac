extension BodyStream {
    /// Notes that it is sent now; throws when it must not be.
    package func beginSending() throws(NetworkError) {
        guard mayBeSent() else {
            throw NetworkError(
                .requestBody, reason: "the body is a stream that can be read once, and it was sent before")
        }
    }
}
