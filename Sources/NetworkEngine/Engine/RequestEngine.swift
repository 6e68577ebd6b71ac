import Foundation

/// Runs calls: attempts under one deadline. The caller decodes.
package final class RequestEngine: Sendable {
    package let configuration: NetworkConfiguration
    package let builder: RequestBuilder
    let path: CallPath
    let timers: TimerQueue
    let interceptors: [any RequestInterceptor]
    let observers: ObserverList
    let started = StartedCalls()
    let sessions: [any SessionInterceptor]
    private let transportIdentity: ObjectIdentifier?
    /// A conflict between interceptors, which fails every call.
    let fault: NetworkError?
    private let attemptLimit: Int
    /// Whether only exchanges can delay a call beyond its deadline. They stop at the deadline themselves.
    let exchangesKeepDeadline: Bool

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
        self.interceptors = interceptors
        transportIdentity = configuration.transport.sharedIdentity
        sessions = interceptors.compactMap { $0 as? any SessionInterceptor }
        exchangesKeepDeadline = !interceptors.contains { $0.mayWait }
        fault = Self.fault(of: interceptors)
        attemptLimit = configuration.chosenAttemptLimit ?? max(configuration.attemptLimit, interceptors.attemptLimit)
        let runner = ExchangeRunner(
            transport: configuration.transport, timeout: configuration.timeout, timers: timers)
        path = CallPath(interceptors, configuration, transport: runner, timebase: timers.timebase)
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

    /// Adds the configuration's headers and secret names to a request.
    func complete(_ request: inout HTTPRequest, _ options: inout CallOptions) throws(NetworkError) {
        builder.rules.mark(&request)
        options.commonHeaders = try builder.rules.addHeaders(to: &request) { options.base ?? options.target?.baseURL }
    }

    /// The deadline of a call that starts now: the earlier of the configuration's and the target's.
    ///
    /// A refresh uses its refresher's limit instead of the configuration's: its result also serves later calls, and may
    /// be the only one that the server issues.
    func deadlineFromNow(for target: (any TargetType)?, isRefresh: Bool = false) -> Deadline? {
        var limit = isRefresh || RefreshScope.isRefreshing ? nil : configuration.deadline
        if let own = target?.declaredDeadline { limit = limit.map { min($0, own) } ?? own }
        return limit.map { Deadline(ofCallIn: $0, on: timers.timebase) }
    }

    /// The storage of a new call; `nil` without interceptors.
    var newStorage: CallStorage? {
        if interceptors.isEmpty { return nil }
        let storage = CallStorage()
        for session in sessions { session.callBegins(storage) }
        return storage
    }

    /// The options of a call that starts now.
    ///
    /// - Parameters:
    ///   - storage: the storage to use instead of a new one.
    ///   - progress: receives the reports of all exchanges.
    ///   - change: changes the values that the call's exchanges share.
    @_semantics("optimize.sil.specialize.generic.never")
    package func options(
        for target: (any TargetType)? = nil,
        id: RequestID = RequestID(),
        isRefresh: Bool = false,
        storage: CallStorage? = nil,
        progress: ProgressFeed? = nil,
        _ change: (inout TransportContext.Values) -> Void = { _ in }
    ) -> CallOptions {
        let storage = storage ?? newStorage
        var transfer = TransportContext.Values()
        transfer.deadline = deadlineFromNow(for: target, isRefresh: isRefresh)
        transfer.limits = configuration.limits
        transfer.priority = target?.priority ?? .ofCurrentTask
        transfer.refresh = isRefresh ? .marked : RefreshScope.isActive ? .inside : .none
        transfer.followsRedirects = (target?.redirects ?? configuration.redirects).followsAll
        if let storage, !sessions.isEmpty {
            transfer.departure = SessionDeparture(sessions: sessions, storage: storage)
        }
        transfer.progress = progress?.report
        change(&transfer)
        var options = CallOptions(id: id, target: target, transport: TransportContext(transfer))
        options.storage = storage
        options.progress = progress
        options.attemptLimit = attemptLimit
        // A transport without an identity may differ between engines.
        options.sharingKey = SharingKey(
            transport: transportIdentity ?? ObjectIdentifier(self), timeout: configuration.timeout
        )
        options.timers = timers
        options.refreshExecutor = interceptors.isEmpty ? nil : self
        return options
    }

    func decoder(for target: (any TargetType)?) -> BodyDecoder { BodyDecoder(standardDecoding(for: target)) }

    func standardDecoding(for target: (any TargetType)?) -> StandardDecoding {
        StandardDecoding(decoder: configuration.decoder, keys: target?.keyDecodingStrategy ?? .useDefaultKeys)
    }
}
