import Foundation
public import NetworkEngine

/// A mock target's answer: an error or a fixture, after a delay.
///
/// ```swift
/// MockResponder<AppError>(fixture: "UserListResponse", in: .bundle(.module), delay: .milliseconds(300))
/// ```
/// A missing or invalid fixture is an error. Its reason contains the file, line and coding path, and its cause is the
/// `FixtureError`.
public struct MockResponder<Failure: Error>: Sendable {
    /// The name of a JSON file, with or without its extension.
    ///
    /// The status, delay and body of a `.response.json` are applied as in `MockAnswer.fixture`; only the first response
    /// of a sequence is used, and the target's `validation` checks it. Any other file is the body of a response with
    /// status 200, and is checked only by the custom checks in `validation`.
    public var fixture: String
    /// Finds and decodes the fixture.
    public var loader: FixtureLoader
    /// The values of placeholders such as `{{id}}`. Without values the file is used unchanged.
    public var values: [String: String]
    /// The time before the answer; zero by default. The delay of a `.response.json` is added.
    public var delay: Duration
    /// An error to throw instead of using the fixture.
    public var errorToThrow: Failure?
    /// Measures the delay.
    public var clock: any Clock<Duration>

    /// Creates a target's answer.
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

    /// Returns the answer to a target, decoded by the loader's decoder with the target's key strategy. `Data` contains
    /// the fixture's bytes.
    ///
    /// - Parameter failure: Returns the app's error for a cancellation, and for a missing or invalid fixture.
    @concurrent
    public func answer<Value: Decodable & Sendable>(
        to target: some TargetType,
        as type: Value.Type = Value.self,
        failure: @Sendable (NetworkError) -> Failure
    ) async throws(Failure) -> Value {
        do {
            try await clock.pause(for: delay)
            try Task.checkCancellation()
        } catch {
            throw Self.appError(for: error, by: failure)
        }
        if let errorToThrow { throw errorToThrow }
        do {
            return try await value(for: target, as: type)
        } catch {
            throw Self.appError(for: error, by: failure)
        }
    }

    /// Returns the app's error for a mock's error. One that has exactly the app's error type is returned unchanged.
    private static func appError(for error: any Error, by failure: (NetworkError) -> Failure) -> Failure {
        // A cast alone is not enough: every error is an `any Error`.
        if Swift.type(of: error) == Failure.self, let error = error as? Failure { return error }
        var cause = error as? NetworkError ?? NetworkError(kind: .cancelled)
        if let error = error as? FixtureError {
            cause = NetworkError(kind: .decoding, reason: error.description, underlying: error)
        }
        return failure(MockNotice.given(cause))
    }

    private func value<Value: Decodable>(for target: some TargetType, as type: Value.Type) async throws -> Value {
        let file = try loader.file(fixture)
        let scripts = try ResponseFixture.all(in: file, isTemplate: !values.isEmpty) { values[$0] }
        let script = scripts.first ?? ResponseFixture()
        try await clock.pause(for: script.delay)
        try Task.checkCancellation()
        let response = HTTPResponse(
            statusCode: script.status,
            headers: script.headers,
            body: .data(script.body),
            request: HTTPRequest(method: target.method, url: target.baseURL)
        )
        if file.describesResponse {
            try target.validation.check(response, standard: .success)
            return try response.json(type, by: BodyDecoder(loader.decoder, keys: target.keyDecodingStrategy))
        }
        // The file specifies neither status nor content type.
        try target.validation.checkContent(of: response)
        if type is Data.Type, let bytes = script.body as? Value { return bytes }
        // The loader's errors contain the line in the file.
        return try loader.load(fixture, values: values, keyDecodingStrategy: target.keyDecodingStrategy)
    }
}
