public import Foundation

/// Sends the `traceparent` and `tracestate` headers of the W3C Trace Context, so that servers continue the trace.
///
/// ```swift
/// let provider = NetworkProvider<UserAPI>(interceptors: .recommended() + [TraceContext()])
/// let user: User = try await TraceContext.$current.withValue(incomingParent) {
///     try await provider.request(.user(7))
/// }
/// ```
/// Every exchange is a span with its own identifier: each attempt, each redirect and each hedged request. Its parent is
/// the request's existing `traceparent`, if valid, or else `current`. Without a parent, each call starts a trace.
///
/// A `SpanRecorder` of `NetworkEngineObservation` records the spans that are sent. The identifiers are random and
/// contain no user data.
public struct TraceContext: ExchangeInterceptor, NonInterceptingInterceptor, SecretMarkingInterceptor {
    /// The span that the current task belongs to. Calls that start in the task continue its trace.
    ///
    /// Calls with handles and callbacks use the value at the time they start.
    @TaskLocal public static var current: TraceParent?

    private let origins: Set<Origin>?
    private let samples: @Sendable () -> Bool
    private let random: @Sendable () -> UInt64

    /// - Parameters:
    ///   - origins: the origins that receive the headers; `nil` for all. With a list, requests to other origins are
    ///     sent without a span.
    ///   - samples: returns whether the spans of a new trace are recorded. Called once for each call without a parent.
    public init(origins: [URL]? = nil, samples: @escaping @Sendable () -> Bool = { true }) {
        self.init(origins: origins, samples: samples, random: RandomNumbers().next)
    }

    init(
        origins: [URL]? = nil,
        samples: @escaping @Sendable () -> Bool = { true },
        random: @escaping @Sendable () -> UInt64
    ) {
        self.origins = origins.map { Set($0.map(\.origin)) }
        self.samples = samples
        self.random = random
    }

    public var mayWait: Bool { false }

    public func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        if let origins, !origins.contains(request.url.origin) { return request }
        let relative = TraceParent(in: request.headers) ?? Self.current ?? root(of: context)
        let span = relative.sibling(random: random)
        var request = request
        request.headers["traceparent"] = span.description
        request.headers["tracestate"] = span.state?.description
        return request
    }

    /// The trace that the call starts, shared by all its exchanges.
    private func root(of context: RequestContext) -> TraceParent {
        let owner = ObjectIdentifier(Self.self)
        if let root = context.call.options.storage?.value(for: owner, as: TraceParent.self) { return root }
        let root = TraceParent.root(isSampled: samples(), random: random)
        return context.call.options.storage?.value(for: owner) { root } ?? root
    }
}
