package import Foundation

/// Carries calls from a request to a value: attempts under one deadline, then decoding.
package final class RequestEngine: Sendable {
    package let configuration: NetworkConfiguration
    package let builder: RequestBuilder
    private let loop: AttemptLoop
    private let alarms: Alarms

    package init(interceptors: [any RequestInterceptor], configuration: NetworkConfiguration) {
        self.configuration = configuration
        builder = RequestBuilder(jsonEncoder: configuration.encoder, queryEncoder: configuration.queryEncoder)
        alarms = Alarms(timebase: .reading(configuration.clock))
        let runner = ExchangeRunner(
            transport: configuration.transport,
            timeout: configuration.timeout,
            alarms: alarms
        )
        let follower = RedirectFollower(policy: configuration.redirects) {
            (request, context) async throws(NetworkError) in
            try await runner.send(request, context: context)
        }
        let chain = InterceptorChain(interceptors) { try await follower.send($0, context: $1) }
        loop = AttemptLoop(
            chain: chain,
            limit: configuration.attemptLimit,
            standardValidation: configuration.validation,
            timebase: alarms.timebase
        )
    }

    package typealias Build = @Sendable (RequestBuilder) throws(NetworkError) -> HTTPRequest

    /// Runs a call and waits for its value, off the caller's actor.
    ///
    /// Without a deadline it runs in the caller's own task. A deadline has to be able to end code that it does not know,
    /// and for that needs a task that it may cancel.
    @concurrent
    package func value<Value: Sendable>(
        _ options: CallOptions,
        decoding: ResponseDecoding<Value>,
        request build: @escaping Build
    ) async throws(NetworkError) -> Value {
        guard configuration.deadline != nil else {
            return try await run(options, decoding, build, deadline: nil, log: nil)
        }
        return try await start(options, decoding: decoding, request: build).outcome.get()
    }

    /// Starts a call in a task of its own.
    package func start<Value: Sendable>(
        _ options: CallOptions,
        decoding: ResponseDecoding<Value>,
        request build: @escaping Build,
        onEnd: (@Sendable () -> Void)? = nil
    ) -> RunningCall<Value> {
        let call = RunningCall<Value>(alarms: alarms, onEnd: onEnd)
        let deadline = configuration.deadline.map { Deadline(in: $0, on: alarms.timebase) }
        call.start(until: deadline) { [self] in
            do throws(NetworkError) {
                return .success(try await run(options, decoding, build, deadline: deadline, log: call))
            } catch {
                return .failure(error)
            }
        }
        return call
    }

    @concurrent
    private func run<Value: Sendable>(
        _ options: CallOptions,
        _ decoding: ResponseDecoding<Value>,
        _ build: Build,
        deadline: Deadline?,
        log: (any CallLog)?
    ) async throws(NetworkError) -> Value {
        let request = try build(builder)
        log?.begin(request)
        let call = RequestContext.Call(
            id: RequestID(),
            target: options.target,
            timeLeft: deadline.map { .until($0) } ?? .unlimited,
            transport: TransportContext(limits: configuration.limits, progress: options.progress),
            files: options.savesToFile ? CallFiles() : nil
        )
        let validation = options.validation ?? options.target?.validation ?? .success
        do throws(NetworkError) {
            let response = try await loop.response(to: request, for: call, validation: validation, log: log)
            call.files?.discard(except: response.body)
            return try decoding.value(of: response, standard: decoder(for: options.target))
        } catch {
            call.files?.discard()
            throw error
        }
    }

    package func decoder(for target: (any TargetType)?) -> JSONDecoder {
        guard let target else { return configuration.decoder }
        return configuration.decoder.applying(target.keyDecodingStrategy)
    }
}
