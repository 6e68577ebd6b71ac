extension HTTPRequest {
    /// The header by which servers know a request that comes a second time.
    package static let idempotencyKey = "Idempotency-Key"

    package var hasIdempotencyKey: Bool { headers[Self.idempotencyKey]?.isEmpty == false }

    /// Whether it may happen twice, when it is not known what became of the first.
    package var mayHappenTwice: Bool { method.isIdempotent || hasIdempotencyKey }
}
