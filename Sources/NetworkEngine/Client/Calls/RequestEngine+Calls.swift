import Foundation

extension RequestEngine {
    /// Builds a call's request below its base URL.
    typealias Build = @Sendable (RequestBuilder, URL) throws(NetworkError) -> HTTPRequest

    /// Runs a target's call. Inlined to save a stack frame per call.
    @inline(__always)
    func run<Value: Sendable>(
        _ target: some TargetType,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings,
        request make: Build
    ) async throws(NetworkError) -> Value {
        do throws(NetworkError) {
            let (request, call) = try begin(target, decoding.delivery, settings, make)
            return try await value(of: request, call, decoding: decoding)
        } catch {
            settings.onFailure?(error)
            throw error
        }
    }

    /// Starts a target's call.
    func start<Value: Sendable>(
        _ target: some TargetType,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings,
        request make: @escaping Build
    ) -> CallHandle<Value, NetworkError> {
        let reports = ProgressReports()
        let settings = settings.reporting(to: reports)
        let options = options(for: target, decoding.delivery, settings)
        let value = DecodedValue(decoding)
        let number = started.number()
        let running = RunningCall<HTTPResponse>(
            timers: timers,
            onEnd: { [started, files = options.files] in
                files?.end()
                started.remove(number)
                reports.finish()
            },
            onUnclaimed: { _ in value.unclaimed() }
        )
        started.add(number) { running.cancel() }
        running.start(until: options.transport.deadline) {
            Task { [self] in
                defer { options.files?.close() }
                do throws(NetworkError) {
                    var options = options
                    var request = try self.request(for: target, &options, settings, make)
                    try complete(&request, &options)
                    running.begin(request)
                    if !observers.isEmpty { options.observe(request, by: observers, endingWith: running) }
                    let call = Call(options)
                    let response = try await perform(request, call, in: running)
                    try value.decode(response, of: call, by: self)
                    return running.finish(.success(response))
                } catch {
                    return running.finish(.failure(error))
                }
            }
        }
        let source = CallHandle<Value, NetworkError>.Source(running, using: options.files) {
            $0.flatMap { _ in value.result }
        }
        return CallHandle(source, reports: reports, files: options.files)
    }

    /// Builds a target's request and creates the call.
    private func begin(
        _ target: some TargetType,
        _ delivery: ResponseDelivery,
        _ settings: CallSettings,
        _ make: Build
    ) throws(NetworkError) -> (HTTPRequest, Call) {
        var options = options(for: target, delivery, settings)
        let request = try request(for: target, &options, settings, make)
        return try begin(request, options)
    }

    /// Returns a target's request with the configuration's secrets and headers. Sends nothing.
    func inspected(_ target: some TargetType, _ make: Build) throws(NetworkError) -> HTTPRequest {
        var options = CallOptions(target: target)
        var request = try request(for: target, &options, CallSettings(.inspection), make)
        try complete(&request, &options)
        return request
    }

    /// The options of a call that starts now, or of a session's next step.
    @_semantics("optimize.sil.specialize.generic.never")
    private func options(
        for target: some TargetType,
        _ delivery: ResponseDelivery,
        _ settings: CallSettings
    ) -> CallOptions {
        let session = settings.session?.state(of: target, on: self)
        let progress = settings.progress.map {
            ProgressFeed(timers: timers, direction: settings.use.direction, tell: $0)
        }
        let upgrade = delivery.upgrade(with: configuration)
        var options = options(
            for: target,
            id: session?.call?.id ?? RequestID(),
            storage: session?.storage?.copy,
            progress: progress
        ) {
            $0.streamsBody = delivery.isStream
            $0.upgrade = upgrade
            $0.streamTimeout = settings.streamTimeout
            // Each response of a mock has its own engine, with its own clock.
            if let deadline = session?.deadline, deadline.timebase === timers.timebase { $0.deadline = deadline }
        }
        options.observedCall = session?.call
        options.isStep = settings.isStep
        if let validation = settings.validation { options.validation = validation }
        if upgrade != nil { options.validation = .statusCodes([101]) }
        if case .file(let destination, let resuming) = delivery {
            options.files = DownloadSession(to: destination, in: configuration.temporaryFolder, resuming: resuming)
        }
        return options
    }

    /// Builds a target's request and records its base URL.
    @_semantics("optimize.sil.specialize.generic.never")
    private func request(
        for target: some TargetType,
        _ options: inout CallOptions,
        _ settings: CallSettings,
        _ make: Build
    ) throws(NetworkError) -> HTTPRequest {
        var base = try (settings.session?.current?.base ?? builder.rules.baseResult(of: target)).get()
        let upgrade = options.transport.upgrade
        if let upgrade { base = URL(string: upgrade.address(base.absoluteString)) ?? base }
        options.base = base
        var request = try make(builder, base)
        if let change = settings.change {
            try change(&request, builder.rules)
            try request.validate()
        }
        if let upgrade {
            guard configuration.transport is any UpgradingTransport else {
                throw .unsupported("the transport opens no WebSockets; on Linux CurlTransport does", request: request)
            }
            try upgrade.check(request)
        }
        return request
    }
}

extension ResponseDelivery {
    /// The offer to upgrade the connection.
    fileprivate func upgrade(with configuration: NetworkConfiguration) -> (any UpgradeOffer)? {
        if case .upgrade(let offer) = self { offer(configuration) } else { nil }
    }

    /// Whether the response is returned as soon as its head arrives.
    var isStream: Bool {
        switch self {
        case .stream, .upgrade: true
        case .memory, .file: false
        }
    }
}

extension RequestBuilder.Use {
    /// The direction of a call's progress; `nil` for both.
    fileprivate var direction: TransferProgress.Direction? {
        switch self {
        case .upload: .sending
        case .download: .receiving
        case .request, .inspection: nil
        }
    }
}
