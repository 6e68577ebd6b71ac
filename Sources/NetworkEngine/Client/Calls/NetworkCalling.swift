/// Sends requests of one kind and returns their decoded responses.
///
/// A ``NetworkProvider`` sends targets, an ``HTTPClient`` sends endpoints. Make data sources depend on the protocol,
/// with the app's errors, so that a mock can replace the client:
///
/// ```swift
/// struct Users {
///     let client: any NetworkCalling<Endpoint, AppError>
///     func user(_ id: Int) async throws(AppError) -> User { try await client.request(.get("/users/\(id)")) }
/// }
/// let users = Users(client: HTTPClient(baseURL: api).mapErrors { AppError($0) })
/// ```
/// Every method that is not a requirement builds on ``run(_:_:settings:)``. A mock implements only that method, and
/// `failure(for:)` if it throws errors other than ``NetworkError``.
public protocol NetworkCalling<Request, Failure>: Sendable {
    /// The description of a request, such as a target or an endpoint.
    associatedtype Request: Sendable
    /// The error that a failed call throws.
    associatedtype Failure: Error

    /// Sends a request and returns the value that the decoding produces from the response.
    ///
    /// The decoding also determines how the body is delivered: in memory, in a file, or while it arrives.
    @concurrent
    func run<Value: Sendable>(
        _ request: Request,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) async throws(Failure) -> Value

    /// Starts a call and returns a handle to await its value, observe its progress and cancel it.
    ///
    /// The default implementation starts a task that calls `run(_:_:settings:)`.
    func start<Value: Sendable>(
        _ request: Request,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) -> CallHandle<Value, Failure>

    /// Returns the call's error for one that occurred outside `run(_:_:settings:)`, such as while reading a stream.
    func failure(for error: NetworkError) -> Failure
}

/// The interface of an HTTP client that data sources depend on, so that a mock can replace the client.
///
/// ```swift
/// struct Users {
///     let client: any HTTPClientContract
///     func user(_ id: Int) async throws(NetworkError) -> User { try await client.request(.get("/users/\(id)")) }
/// }
/// ```
public typealias HTTPClientContract = NetworkCalling<Endpoint, NetworkError>

extension NetworkCalling where Failure == NetworkError {
    /// Returns the error unchanged.
    public func failure(for error: NetworkError) -> NetworkError { error }
}

extension NetworkCalling {
    public func start<Value: Sendable>(
        _ request: Request,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) -> CallHandle<Value, Failure> {
        let reports = ProgressReports()
        let settings = settings.reporting(to: reports)
        // The call has no deadline, so the clock is never read.
        let call = RunningCall<Result<Value, Failure>>(
            timers: TimerQueue(timebase: .reading(ContinuousClock())),
            onEnd: { reports.finish() },
            onUnclaimed: { result in
                if case .success(let value) = result { decoding.onUnclaimed?(value) }
            }
        )
        call.start(until: nil) {
            Task {
                do throws(Failure) {
                    return call.finish(.success(.success(try await run(request, decoding, settings: settings))))
                } catch {
                    return call.finish(.success(.failure(error)))
                }
            }
        }
        let source = CallHandle<Value, Failure>.Source(call) { outcome in
            switch outcome {
            case .success(let result): result
            case .failure(let error): .failure(failure(for: error))
            }
        }
        return CallHandle(source, reports: reports)
    }

    /// Sends a request and throws the unmapped error.
    package func runUnmapped<Value: Sendable>(
        _ request: Request,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings
    ) async throws(NetworkError) -> Value {
        let failure = Locked<NetworkError?>(nil)
        var settings = settings
        settings.onFailure = { error in failure.withLock { $0 = error } }
        do throws(Failure) {
            return try await run(request, decoding, settings: settings)
        } catch {
            if let error = error as? NetworkError ?? failure.withLock({ $0 }) { throw error }
            throw NetworkError(kind: .transport, underlying: ForeignFailure(error: error))
        }
    }

    /// Whether an error thrown by `runUnmapped` wraps one that was never a `NetworkError`.
    package func isForeign(_ error: NetworkError) -> Bool { error.underlying is ForeignFailure<Failure> }

    /// Returns the call's error for one thrown by `runUnmapped`.
    package func mapped(_ error: NetworkError) -> Failure {
        if let foreign = error.underlying as? ForeignFailure<Failure> { return foreign.error }
        return failure(for: error)
    }
}

/// Wraps an error that was never a `NetworkError`, such as a mock's.
private struct ForeignFailure<Failure: Error>: Error {
    let error: Failure
}
