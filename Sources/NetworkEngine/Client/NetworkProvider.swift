#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Calls what targets describe.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>()
/// let user: User = try await provider.request(.user(7))
/// ```
/// A value that is cheap to copy; copies share their engine. Letting go of a provider cancels nothing.
///
/// Every awaited method runs off the caller's actor, ends with an error of kind `.cancelled` when its task is cancelled,
/// and throws nothing but `NetworkError`.
public struct NetworkProvider<Target: TargetType>: Sendable {
    package let engine: RequestEngine

    /// Makes a provider whose interceptors run in the order given.
    ///
    /// A configuration that cannot be honoured makes every call fail before I/O with `.unsupported`.
    public init(interceptors: [any RequestInterceptor] = [], configuration: NetworkConfiguration = .init()) {
        engine = RequestEngine(interceptors: interceptors, configuration: configuration)
    }

    public init(interceptor: any RequestInterceptor, configuration: NetworkConfiguration = .init()) {
        self.init(interceptors: [interceptor], configuration: configuration)
    }

    /// What would be sent for a target, before any interceptor; nothing is sent.
    public func urlRequest(for target: Target) throws(NetworkError) -> URLRequest {
        try engine.builder.request(for: target, use: .inspection).urlRequest
    }

    /// Sends a prepared request through interceptors, attempts and redirects like a target's.
    ///
    /// What the configuration's `validation` does not accept is thrown.
    @concurrent
    public func send(_ urlRequest: URLRequest) async throws(NetworkError) -> HTTPResponse {
        let request = try HTTPRequest(urlRequest)
        try request.validate()
        return try await engine.value(of: request, CallOptions(), decoding: .response)
    }

    func start<Value: Sendable>(
        _ target: Target,
        _ decoding: ResponseDecoding<Value>,
        _ use: RequestBuilder.Use = .request,
        files: DownloadSession? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        onUnclaimed: (@Sendable (Value) -> Void)? = nil
    ) -> RequestHandle<Value> {
        let reports = ProgressReports()
        var options = CallOptions(target: target)
        options.files = files
        options.progressDirection = use.progressDirection
        options.progress = { report in
            reports.report(report)
            progress?(report)
        }
        let build: RequestEngine.Build = { builder throws(NetworkError) in try builder.request(for: target, use: use) }
        let call = engine.start(
            options,
            decoding: decoding,
            request: build,
            onEnd: { reports.finish() },
            onUnclaimed: onUnclaimed
        )
        return RequestHandle(call, reports: reports)
    }
}

extension RequestBuilder.Use {
    /// What a call of this kind reports; both directions where it is about neither.
    var progressDirection: TransferProgress.Direction? {
        switch self {
        case .upload: .sending
        case .download: .receiving
        default: nil
        }
    }
}
