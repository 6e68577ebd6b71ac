import Foundation

/// Runs calls: attempts under one deadline, then decoding.
package final class RequestEngine: Sendable {
    package let configuration: NetworkConfiguration
    package let builder: RequestBuilder
    private let loop: AttemptLoop
    let timers: TimerQueue
    package let interceptors: [any RequestInterceptor]
    package let observers: ObserverList
    private let sessions: [any SessionInterceptor]
    private let transportIdentity: ObjectIdentifier?
    /// The conflict of interceptors that fails every call.
    private let fault: NetworkError?
    /// Whether only exchanges can delay the end of a call beyond its deadline. They stop at the deadline themselves.
    private let exchangesKeepDeadline: Bool

    package init(interceptors: [any RequestInterceptor], configuration: NetworkConfiguration) {
        self.configuration = configuration
        builder = RequestBuilder(
            jsonEncoder: configuration.encoder,
            queryEncoder: configuration.queryEncoder,
            rules: RequestRules(
                allowsAbsolutePaths: configuration.allowsAbsolutePaths,
                trustedOrigins: configuration.trustedOrigins,
                secretNames: configuration.secretNames,
                baseURL: configuration.baseURL,
                headers: configuration.headers
            )
        )
        observers = ObserverList(configuration.observers)
        timers = TimerQueue(timebase: .reading(configuration.clock))
        let runner = ExchangeRunner(
            transport: configuration.transport,
            timeout: configuration.timeout,
            timers: timers
        )
        let follower = RedirectFollower(
            policy: configuration.redirects,
            trustedOrigins: configuration.trustedOrigins,
            runner: runner,
            interceptors: interceptors + configuration.exchangeInterceptors,
            layers: configuration.parts.layers
        )
        self.interceptors = interceptors
        transportIdentity = configuration.transport.sharedIdentity
        sessions = interceptors.compactMap { $0 as? any SessionInterceptor }
        let chain = InterceptorChain.ofAttempt(interceptors) { try await follower.follow($0, context: $1) }
        exchangesKeepDeadline = !chain.mayWait
        fault = Self.fault(of: interceptors)
        loop = AttemptLoop(
            chain: chain,
            standardValidation: configuration.validation,
            timebase: timers.timebase
        )
    }

    deinit { timers.stop() }

    private static func fault(of interceptors: [any RequestInterceptor]) -> NetworkError? {
        do throws(NetworkError) {
            try interceptors.validate()
            return nil
        } catch {
            return error
        }
    }

    /// Makes the request of a call, and sets the options that depend on it.
    package typealias Build = @Sendable (RequestBuilder, inout CallOptions) throws(NetworkError) -> HTTPRequest

    /// Runs a call and waits for its value, off the caller's actor.
    @concurrent
    package func value<Value: Sendable>(
        of request: consuming HTTPRequest,
        _ options: consuming CallOptions,
        decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        let deadline = deadlineFromNow(for: options.target, isRefresh: options.isRefresh)
        try complete(&request, &options)
        if observers.isEmpty { return try await value(of: request, options, decoding, until: deadline) }
        return try await observedValue(of: request, options, decoding, until: deadline)
    }

    /// Not inlined: the frame of an unobserved call stays small.
    @inline(never)
    private func observedValue<Value: Sendable>(
        of request: HTTPRequest,
        _ options: CallOptions,
        _ decoding: ResponseDecoding<Value>,
        until deadline: Deadline?
    ) async throws(NetworkError) -> Value {
        let options = options.observed(request, by: observers)
        do throws(NetworkError) {
            let value = try await value(of: request, options, decoding, until: deadline)
            if options.observedCall == nil { options.observation?.end(nil) }
            return value
        } catch {
            if options.observedCall == nil { options.observation?.end(error) }
            throw error
        }
    }

    @inline(__always)
    private func value<Value: Sendable>(
        of request: HTTPRequest,
        _ options: CallOptions,
        _ decoding: ResponseDecoding<Value>,
        until deadline: Deadline?
    ) async throws(NetworkError) -> Value {
        // A download is moved to its destination here. That step is not abandoned halfway.
        guard let deadline, decoding.decodesBody, options.files == nil else {
            return try decoded(try await performUnderDeadline(request, options, until: deadline), options, decoding)
        }
        let call = RunningCall<Value>(timers: timers, request: request)
        return try await call.run(until: deadline) {
            RunningCall<Value>.Working.starting { [self] in
                do throws(NetworkError) {
                    let response = try await perform(request, options, deadline: deadline, record: call.record)
                    // The caller's thread must be free at the deadline, because a decoder cannot be stopped.
                    await call.leaveCallersThread()
                    return call.finish(.success(try decoded(response, options, decoding)))
                } catch {
                    return call.finish(.failure(error))
                }
            }
        }.get()
    }

    /// Adds the marks and headers of the configuration to a request.
    package func complete(_ request: inout HTTPRequest, _ options: inout CallOptions) throws(NetworkError) {
        builder.rules.mark(&request)
        options.commonHeaders = try builder.rules.addHeaders(to: &request) { options.base ?? options.target?.baseURL }
    }

    /// The deadline of a call that starts now: the earlier one of the configuration and the target.
    ///
    /// A refresh has the limit of its refresher in place of the configuration's: its result is for later calls, too, and
    /// may be the only one that the server gives.
    package func deadlineFromNow(for target: (any TargetType)?, isRefresh: Bool = false) -> Deadline? {
        var limit = isRefresh || RefreshScope.isRefreshing ? nil : configuration.deadline
        if let own = target?.declaredDeadline { limit = limit.map { min($0, own) } ?? own }
        return limit.map { Deadline(in: $0, on: timers.timebase) }
    }

    /// The storage of a new call; `nil` without interceptors.
    package var newStorage: CallStorage? {
        if interceptors.isEmpty { return nil }
        let storage = CallStorage()
        for session in sessions { session.callBegins(storage) }
        return storage
    }

    /// Runs in the caller's task. With a deadline and unknown code, such as interceptors, it runs in a separate task
    /// that can be canceled.
    private func performUnderDeadline(
        _ request: HTTPRequest,
        _ options: CallOptions,
        until deadline: Deadline?
    ) async throws(NetworkError) -> HTTPResponse {
        guard let deadline, !exchangesKeepDeadline else {
            return try await perform(request, options, deadline: deadline, record: nil)
        }
        let call = RunningCall<HTTPResponse>(timers: timers, request: request, onUnclaimed: { $0.discardFile() })
        return try await call.run(until: deadline) {
            RunningCall<HTTPResponse>.Working.starting { [self] in
                do throws(NetworkError) {
                    return call.finish(
                        .success(try await perform(request, options, deadline: deadline, record: call.record)))
                } catch {
                    return call.finish(.failure(error))
                }
            }
        }.get()
    }

    /// Starts a call in a task, which also builds the request.
    package func start<Value: Sendable>(
        _ options: CallOptions,
        decoding: ResponseDecoding<Value>,
        request build: @escaping Build,
        onEnd: (@Sendable () -> Void)? = nil,
        onUnclaimed: (@Sendable (Value) -> Void)? = nil
    ) -> RunningCall<Value> {
        let call = RunningCall<Value>(timers: timers, onEnd: onEnd, onUnclaimed: onUnclaimed)
        let deadline = deadlineFromNow(for: options.target, isRefresh: options.isRefresh)
        var options = options
        options.storage = newStorage
        call.start(until: deadline) { [options] in
            Task { [self] in
                defer { options.files?.close() }
                do throws(NetworkError) {
                    var options = options
                    var request = try build(builder, &options)
                    try complete(&request, &options)
                    call.record.begin(request)
                    if !observers.isEmpty { options = options.observed(request, by: observers, endingWith: call) }
                    let response = try await perform(request, options, deadline: deadline, record: call.record)
                    return call.finish(.success(try decoded(response, options, decoding)))
                } catch {
                    return call.finish(.failure(error))
                }
            }
        }
        return call
    }

    private func perform(
        _ request: HTTPRequest,
        _ options: CallOptions,
        deadline: Deadline?,
        record: CallRecord?
    ) async throws(NetworkError) -> HTTPResponse {
        if let fault { throw fault.completed(request: request) }
        let feed = options.progress.map { ProgressFeed(timers: timers, direction: options.progressDirection, tell: $0) }
        var transport = TransportContext(
            streamsBody: options.streams,
            limits: configuration.limits,
            priority: options.target?.priority ?? .ofCurrentTask,
            isRefresh: options.isRefresh || RefreshScope.isActive,
            progress: feed?.report,
            followsRedirects: configuration.redirects.limit > 0,
            streamTimeout: options.streamTimeout
        )
        if let upgrade = options.upgrade { transport.upgrade = upgrade }
        let storage = options.storage ?? newStorage
        if let storage, !sessions.isEmpty {
            transport.departure = { [sessions] request in
                sessions.lazy.compactMap { $0.departure(of: request, storage) }.first
            }
        }
        let call = RequestContext.Call(
            id: options.observation?.id ?? options.observedCall?.id ?? RequestID(),
            target: options.target,
            base: options.base,
            commonHeaders: options.commonHeaders,
            timeLeft: deadline.map { .until($0) } ?? .unlimited,
            transport: transport,
            sharingKey: sharingKey,
            files: options.files,
            attemptLimit: configuration.attemptLimit,
            isMarkedAsRefresh: options.isRefresh,
            storage: storage,
            refreshExecutor: interceptors.isEmpty ? nil : self,
            timers: timers,
            exchangesKeepDeadline: record == nil && deadline != nil,
            observation: options.observation
        )
        options.files?.begin(request)
        do throws(NetworkError) {
            let response = try await loop.attempt(
                request, for: call, validation: options.validation, record: record)
            call.files?.discard(except: response.body)
            call.files?.close()
            feed?.end(withSuccess: true)
            return response
        } catch {
            call.files?.discard()
            call.files?.close()
            feed?.end(withSuccess: false)
            throw decodable(error, options)
        }
    }

    /// A transport without an identity may be a different one in each engine.
    private var sharingKey: SharingKey {
        SharingKey(transport: transportIdentity ?? ObjectIdentifier(self), timeout: configuration.timeout)
    }

    private func decoded<Value>(
        _ response: HTTPResponse,
        _ options: CallOptions,
        _ decoding: ResponseDecoding<Value>
    ) throws(NetworkError) -> Value {
        do throws(NetworkError) {
            return try Self.committed(to: response) { () throws(NetworkError) in
                let decoder = decoder(for: options.target)
                guard let observation = options.observation, decoding.decodesBody else {
                    return try decoding.value(of: response, standard: decoder)
                }
                return try observation.decoding { () throws(NetworkError) in
                    try decoding.value(of: response, standard: decoder)
                }
            }
        } catch {
            throw decodable(error, options)
        }
    }

    /// An error with a body that can be decoded like the call's value.
    private func decodable(_ error: NetworkError, _ options: CallOptions) -> NetworkError {
        error.response == nil ? error : error.completed(decoding: standardDecoding(for: options.target))
    }

    /// The result of the last step, unless the task was canceled before the step was done.
    ///
    /// Decoding does not notice a cancellation, and the caller's code may ignore one. A placed download is kept: the
    /// file is at its destination.
    package static func committed<Value>(
        to response: HTTPResponse,
        _ step: () throws(NetworkError) -> Value
    ) throws(NetworkError) -> Value {
        let isFile = if case .file = response.body { true } else { false }
        let value: Value
        do throws(NetworkError) {
            value = try step()
        } catch {
            if isFile { response.discardFile() }
            throw !isFile && Task.isCancelled ? .cancelled(response.request) : error
        }
        if !isFile, Task.isCancelled { throw .cancelled(response.request) }
        return value
    }

    package func decoder(for target: (any TargetType)?) -> BodyDecoder { BodyDecoder(standardDecoding(for: target)) }

    package func standardDecoding(for target: (any TargetType)?) -> StandardDecoding {
        StandardDecoding(decoder: configuration.decoder, keys: target?.keyDecodingStrategy ?? .useDefaultKeys)
    }
}
