import Foundation
public import NetworkEngine

/// What a mock target answers: an error, or what a fixture holds, after a delay.
///
/// ```swift
/// MockResponder<AppError>(fixture: "UserListResponse", in: .bundle(.module), delay: .milliseconds(300))
/// ```
/// A missing or bad fixture is an error whose reason names file, line and coding path, and whose cause is the
/// `FixtureError`.
public struct MockResponder<Failure: Error>: Sendable {
    /// The name of a JSON file, with or without its extension.
    public var fixture: String
    /// Where the file is looked for.
    public var loader: FixtureLoader
    public var delay: Duration
    /// Goes before the fixture.
    public var errorToThrow: Failure?
    /// What the delay is measured on.
    public var clock: any Clock<Duration>

    public init(
        fixture: String,
        in loader: FixtureLoader,
        delay: Duration = .zero,
        errorToThrow: Failure? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.fixture = fixture
        self.loader = loader
        self.delay = delay
        self.errorToThrow = errorToThrow
        self.clock = clock
    }

    /// The answer to a target, decoded with its key strategy; `Data` is the bytes of the fixture.
    ///
    /// - Parameter failure: makes the app's error of a cancellation, and of a fixture that is missing or bad.
    @concurrent
    public func answer<Value: Decodable & Sendable>(
        to target: some TargetType,
        as type: Value.Type = Value.self,
        failure: @Sendable (NetworkError) -> Failure
    ) async throws(Failure) -> Value {
        do {
            try await pause()
        } catch {
            throw failure(NetworkError(kind: .cancelled))
        }
        if let errorToThrow { throw errorToThrow }
        do throws(FixtureError) {
            if let bytes = try bytes(as: type) { return bytes }
            return try loader.load(fixture, as: type, keyDecodingStrategy: target.keyDecodingStrategy)
        } catch {
            throw failure(NetworkError(kind: .decoding, reason: error.description, underlying: error))
        }
    }

    private func pause() async throws {
        if delay > .zero { try await clock.sleep(for: delay, tolerance: nil) }
        try Task.checkCancellation()
    }

    private func bytes<Value>(as type: Value.Type) throws(FixtureError) -> Value? {
        type is Data.Type ? try loader.data(fixture) as? Value : nil
    }
}
