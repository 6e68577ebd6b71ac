import Foundation

extension RequestEngine {
    /// Runs the call of a target. Inlined: a call has no frame more for it.
    @inline(__always)
    package func run<Value: Sendable>(
        _ target: some TargetType,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings,
        request make: Build
    ) async throws(NetworkError) -> Value {
        do throws(NetworkError) {
            var options = CallOptions(target, decoding.delivery, settings, on: self)
            let request = try request(&options, settings, make)
            return try await value(of: request, options, decoding: decoding)
        } catch {
            settings.onFailure?(error)
            throw error
        }
    }

    /// Starts the call of a target.
    package func start<Value: Sendable>(
        _ target: some TargetType,
        _ decoding: ResponseDecoding<Value>,
        settings: CallSettings,
        request make: @escaping Build
    ) -> CallHandle<Value, NetworkError> {
        let reports = ProgressReports()
        let settings = settings.reporting(to: reports)
        let options = CallOptions(target, decoding.delivery, settings, on: self)
        let call = start(
            options,
            decoding: decoding,
            request: { [self] _, options throws(NetworkError) in try request(&options, settings, make) },
            onEnd: { reports.finish() },
            onUnclaimed: decoding.onUnclaimed
        )
        return CallHandle(CallHandle.Source(call) { $0 }, reports: reports, files: options.files)
    }

    private func request(
        _ options: inout CallOptions,
        _ settings: CallSettings,
        _ make: Build
    ) throws(NetworkError) -> HTTPRequest {
        if let target = options.target, let session = settings.session {
            let state = session.state(of: target, on: self)
            options.storage = state.storage?.copy
            options.observedCall = state.call
            options.base = try state.base?.get()
        }
        if let target = options.target, let upgrade = options.upgrade {
            let base = try options.resolvedBase(of: target, by: builder.rules)
            options.base = URL(string: upgrade.address(base.absoluteString)) ?? base
        }
        var request = try make(builder, &options)
        if let change = settings.change {
            try change(&request, builder.rules)
            try request.validate()
        }
        if let upgrade = options.upgrade {
            guard configuration.transport is any UpgradingTransport else {
                throw .unsupported("the transport opens no WebSockets; on Linux CurlTransport does", request: request)
            }
            try upgrade.check(request)
        }
        return request
    }
}

extension CallOptions {
    fileprivate init(
        _ target: some TargetType,
        _ delivery: ResponseDelivery,
        _ settings: CallSettings,
        on engine: RequestEngine
    ) {
        self.init(target: target)
        progress = settings.progress
        streamTimeout = settings.streamTimeout
        switch settings.use {
        case .upload: progressDirection = .sending
        case .download: progressDirection = .receiving
        case .request, .inspection: break
        }
        switch delivery {
        case .memory: break
        case .stream: streams = true
        case .file(let destination, let resuming):
            files = DownloadSession(to: destination, in: engine.configuration.temporaryFolder, resuming: resuming)
        case .upgrade(let offer):
            streams = true
            upgrade = offer(engine.configuration)
            validation = .statusCodes([101])
        }
    }
}
