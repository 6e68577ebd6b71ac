#if !canImport(FoundationNetworking)
public import Foundation
public import NetworkEngine

/// Downloads and uploads that continue while the app is suspended or has ended.
///
/// ```swift
/// let transfers = BackgroundTransfers(identifier: "com.example.app.transfers", interceptors: [tokens])
/// try await transfers.startDownload(API.video(7), tag: "video 7")
/// for await outcome in transfers.outcomes { library.add(outcome.file, named: outcome.transfer.tag) }
/// ```
/// Create one value for each identifier when the app launches, with the same identifier each time. It reconnects to the
/// transfers that an earlier process started, and their outcomes arrive in `outcomes`. In the app delegate, pass on the
/// system's completion handler:
///
/// ```swift
/// func application(
///     _ application: UIApplication,
///     handleEventsForBackgroundURLSession identifier: String,
///     completionHandler: @escaping () -> Void
/// ) {
///     transfers.handleEvents(of: identifier, completion: completionHandler)
/// }
/// ```
/// The system sends the requests, so parts of a call do not apply:
/// - The interceptors' `adapt` hooks run once, before a transfer starts. `intercept` and `retry` do not run, so expired
///   credentials are not refreshed, and failed transfers are not retried.
/// - The system follows redirects by itself, and decides which headers it sends to another origin. If the request has a
///   credential, use a signed URL or one that does not redirect.
/// - The configuration's transport, timeouts, redirect policy and a target's own validation are not used. The
///   configuration's `validation` decides which statuses are successes. The request timeout is the time without a byte
///   after which the system sends the request again; a minute by default.
/// - Observers receive no events, because a transfer can end in another process than the one that started it, and each
///   call that starts must end. `outcomes` contains the result of each transfer.
/// - The configuration's cookies are sent as they are when a transfer starts, and the cookies in its response are
///   stored. Cookies set by redirects are not.
///
/// Available on Apple platforms. The package's tests compile it, but never run it.
public final class BackgroundTransfers: Sendable {
    public let identifier: String
    /// The outcomes of transfers, each once, for one reader. They are kept until they are read.
    ///
    /// Canceling the reading task ends its loop, and a later loop over `outcomes` continues. An outcome that was
    /// returned to a loop is not returned again.
    public var outcomes: AsyncStream<BackgroundOutcome> { queue.stream }

    private let queue = OutcomeQueue<BackgroundOutcome>()
    private let engine: RequestEngine
    private let options: BackgroundOptions
    private let delegate: BackgroundDelegate
    private let session: Result<URLSession, NetworkError>

    /// Connects to the background session with an identifier.
    ///
    /// With an unsupported TLS policy, every start fails with the policy's error before any I/O.
    public init(
        identifier: String,
        interceptors: [any RequestInterceptor] = [],
        configuration: NetworkConfiguration = .init(),
        options: BackgroundOptions = .init(),
        tls: TLSPolicy = .standard
    ) {
        self.identifier = identifier
        self.options = options
        engine = RequestEngine(interceptors: interceptors, configuration: configuration)
        let security = Result { () throws(NetworkError) in try SessionSecurity(tls: tls, proxy: .environment) }
        let delegate = BackgroundDelegate(
            security: try? security.get(), configuration: configuration, options: options, outcomes: queue)
        self.delegate = delegate
        session = security.map { security in
            let settings = URLSessionConfiguration.background(identifier: identifier, options)
            security.prepare(settings)
            return URLSession(configuration: settings, delegate: delegate, delegateQueue: nil)
        }
    }

    /// Running transfers continue, and their files are placed. Their outcomes are lost.
    deinit { (try? session.get())?.finishTasksAndInvalidate() }

    /// Starts a download to the target's destination, a temporary file by default.
    ///
    /// - Parameter tag: the app's name for the transfer. It must not be a secret.
    @concurrent
    @discardableResult
    public func startDownload(
        _ target: some TargetType,
        tag: String = ""
    ) async throws(NetworkError) -> BackgroundTransfer {
        var call = engine.options(for: target)
        let base = try engine.builder.rules.base(of: target)
        call.base = base
        let request = try engine.builder.request(for: target, below: base, use: .download)
        return try await startDownload(request, call, to: target.declaredTask.destination, tag: tag)
    }

    /// Starts a download to a destination. `.custom` is not supported, because its closure would not outlive the app.
    @concurrent
    @discardableResult
    public func startDownload(
        _ request: HTTPRequest,
        to destination: DownloadDestination = .temporary,
        tag: String = ""
    ) async throws(NetworkError) -> BackgroundTransfer {
        try await startDownload(request, engine.options(), to: destination, tag: tag)
    }

    /// Starts an upload of the target's body.
    ///
    /// The system reads the body from a file. Any other kind of body is first written to a file in
    /// `BackgroundOptions.folder`. A file provided by the app must not change until the transfer ends.
    @concurrent
    @discardableResult
    public func startUpload(
        _ target: some TargetType,
        tag: String = ""
    ) async throws(NetworkError) -> BackgroundTransfer {
        var call = engine.options(for: target)
        let base = try engine.builder.rules.base(of: target)
        call.base = base
        let request = try engine.builder.request(for: target, below: base, use: .upload)
        return try await startUpload(request, call, tag: tag)
    }

    /// Starts an upload of the request's body.
    @concurrent
    @discardableResult
    public func startUpload(_ request: HTTPRequest, tag: String = "") async throws(NetworkError) -> BackgroundTransfer {
        try await startUpload(request, engine.options(), tag: tag)
    }

    /// Continues an interrupted download with the data in its outcome, with the same destination and identifier.
    ///
    /// The system sends the same request again. Interceptors do not run.
    public func resumeDownload(_ transfer: BackgroundTransfer, with resumeData: Data) throws(NetworkError) {
        guard transfer.kind == .download else {
            throw NetworkError(kind: .invalidRequest, reason: "only a download can be resumed")
        }
        resume(try session.get().downloadTask(withResumeData: resumeData), as: transfer)
    }

    /// The transfers that have not ended, including those of earlier processes.
    @concurrent
    public func running() async -> [BackgroundTransfer] {
        await tasks().compactMap { BackgroundTransfer(taskDescription: $0.taskDescription) }
    }

    /// Cancels a transfer. Its outcome has a `.cancelled` error, and resume data if available.
    @concurrent
    public func cancel(_ transfer: BackgroundTransfer) async {
        for task in await tasks() where BackgroundTransfer(taskDescription: task.taskDescription)?.id == transfer.id {
            if let download = task as? URLSessionDownloadTask {
                // The data also arrives when the task ends.
                download.cancel(byProducingResumeData: { _ in })
            } else {
                task.cancel()
            }
        }
    }

    /// Calls the system's completion handler on the main actor when all events of the session have arrived and their
    /// outcomes were handled, or 20 seconds after the events.
    ///
    /// An outcome is handled when the loop over `outcomes` requests the next one, or ends. After the handler, the
    /// system may terminate the app, and unread outcomes are lost.
    ///
    /// - Returns: whether the identifier matches this session. Otherwise the handler is not called.
    @MainActor
    @discardableResult
    public func handleEvents(of identifier: String, completion: @escaping () -> Void) -> Bool {
        guard identifier == self.identifier else { return false }
        delegate.woken(MainHandler(completion))
        return true
    }
}

extension BackgroundTransfers {
    private func startDownload(
        _ request: HTTPRequest,
        _ call: CallOptions,
        to destination: DownloadDestination,
        tag: String
    ) async throws(NetworkError) -> BackgroundTransfer {
        let session = try session.get()
        let request = try await engine.adapted(request, call)
        let plan = try BackgroundPlan.download(request, to: destination, tag: tag)
        if Task.isCancelled { throw .cancelled(request) }
        var wire = plan.request.wireInBackground
        wire.httpBody = plan.request.body.data
        return resume(session.downloadTask(with: wire), as: plan.transfer)
    }

    private func startUpload(
        _ request: HTTPRequest,
        _ call: CallOptions,
        tag: String
    ) async throws(NetworkError) -> BackgroundTransfer {
        let session = try session.get()
        let request = try await engine.adapted(request, call)
        let plan = try BackgroundPlan.upload(request, tag: tag)
        let file = try await plan.bodyFile(in: options.folder)
        if Task.isCancelled {
            plan.transfer.removeSpool(in: options.folder)
            throw .cancelled(request)
        }
        return resume(session.uploadTask(with: plan.request.wireInBackground, fromFile: file), as: plan.transfer)
    }

    @discardableResult
    private func resume(_ task: URLSessionTask, as transfer: BackgroundTransfer) -> BackgroundTransfer {
        task.taskDescription = transfer.taskDescription
        task.resume()
        return transfer
    }

    private func tasks() async -> [URLSessionTask] {
        guard let session = try? session.get() else { return [] }
        return await session.allTasks
    }
}

extension URLSessionConfiguration {
    /// A configuration without storage, as for `URLSessionTransport`.
    fileprivate static func background(identifier: String, _ options: BackgroundOptions) -> URLSessionConfiguration {
        let settings = URLSessionConfiguration.background(withIdentifier: identifier)
        settings.isDiscretionary = options.isDiscretionary
        settings.sessionSendsLaunchEvents = options.sendsLaunchEvents
        settings.allowsCellularAccess = options.allowsCellularAccess
        settings.allowsExpensiveNetworkAccess = options.allowsExpensiveNetworkAccess
        settings.allowsConstrainedNetworkAccess = options.allowsConstrainedNetworkAccess
        settings.sharedContainerIdentifier = options.sharedContainer
        settings.timeoutIntervalForResource = options.timeout.inSeconds
        settings.removeStorages()
        return settings
    }
}
#endif
