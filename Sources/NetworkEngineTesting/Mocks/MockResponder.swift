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
    /// The name of a JSON file, with or without its extension. What a `.response.json` says of status, delay and body is
    /// done as `MockAnswer.fixture` does it; of a sequence, the first.
    public var fixture: String
    /// Where the file is looked for.
    public var loader: FixtureLoader
    /// What fills places such as `{{id}}` in the file; without any it is taken as it is.
    public var values: [String: String]
    public var delay: Duration
    /// Goes before the fixture.
    public var errorToThrow: Failure?
    /// What the delay is measured on.
    public var clock: any Clock<Duration>

    public init(
        fixture: String,
        in loader: FixtureLoader,
        values: [String: String] = [:],
        delay: Duration = .zero,
        errorToThrow: Failure? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.fixture = fixture
        self.loader = loader
        self.values = values
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
            try await pause(for: delay)
            if let errorToThrow { throw errorToThrow }
            return try await value(for: target, as: type)
        } catch let error as Failure {
            throw error
        } catch let error as FixtureError {
            throw failure(NetworkError(kind: .decoding, reason: error.description, underlying: error))
        } catch {
            throw failure(error as? NetworkError ?? NetworkError(kind: .cancelled))
        }
    }

    private func pause(for delay: Duration) async throws {
        if delay > .zero { try await Timebase.reading(clock).sleep(for: delay) }
        try Task.checkCancellation()
    }

    private func value<Value: Decodable>(for target: some TargetType, as type: Value.Type) async throws -> Value {
        let file = try loader.file(fixture)
        guard file.describesResponse else {
            if let bytes = try bytes(as: type) { return bytes }
            return try loader.load(fixture, values: values, keyDecodingStrategy: target.keyDecodingStrategy)
        }
        let script = try ResponseFixture.all(in: file, isTemplate: true) { values[$0] }.first ?? ResponseFixture()
        try await pause(for: script.delay)
        let response = HTTPResponse(
            statusCode: script.status,
            headers: script.headers,
            body: .data(script.body),
            request: HTTPRequest(method: target.method, url: target.baseURL)
        )
        try target.validation.check(response, standard: .success)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = target.keyDecodingStrategy
        return try response.json(type, by: BodyDecoder(decoder))
    }

    private func bytes<Value>(as type: Value.Type) throws(FixtureError) -> Value? {
        type is Data.Type ? try loader.data(fixture, values: values) as? Value : nil
    }
}
