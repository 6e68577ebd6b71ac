public import Foundation

/// The configuration of calls: transport, time limits, attempts, interceptors and coding.
///
/// ```swift
/// var configuration = NetworkConfiguration()
/// configuration.deadline = .seconds(20)
/// let provider = NetworkProvider<UserAPI>(configuration: configuration)
/// ```
public struct NetworkConfiguration: Sendable {
    /// The transport that sends requests; by default one URLSession, shared by the whole process.
    public var transport: any Transport {
        get { chosenTransport ?? URLSessionTransport.shared }
        set { chosenTransport = newValue }
    }
    /// If the app sets a transport, no system session is created.
    private var chosenTransport: (any Transport)?
    /// Limits the time without any bytes in either direction. Waiting in a queue does not count.
    ///
    /// A target's or request's own timeout overrides it. An exchange with steady traffic may take any time.
    public var timeout: Duration = .seconds(60)
    /// Limits the whole call: attempts, waits between them, interceptors, queues and decoding. Unlimited by default.
    ///
    /// It also ends unfinished uploads and downloads. For a stream it applies until the head, and for server-sent
    /// events until the head of each connection. It does not interrupt the decoding of a body of up to 64 KiB: such a
    /// call fails when the decoder returns.
    public var deadline: Duration?
    /// The maximum number of attempts of a call, including the first.
    ///
    /// Defaults to 3; a `RetryPolicy` can raise it. An explicit value caps every policy.
    public var attemptLimit: Int {
        get { chosenAttemptLimit ?? 3 }
        set { chosenAttemptLimit = newValue }
    }
    /// The limit that the app has set.
    private(set) var chosenAttemptLimit: Int?
    /// Which redirects are followed; by default up to 20, and never from `https` to `http`.
    public var redirects = RedirectPolicy.follow
    /// Returns the base URL for a target's calls, which replaces the target's or client's `baseURL`.
    ///
    /// ```swift
    /// configuration.baseURL = { _ in staging }
    /// ```
    /// It applies to every call of a target or endpoint: requests, transfers, streams, events, GraphQL, and the calls
    /// of a token refresh. It is called once per call, in the caller's task or in one with its task-local values; for
    /// events once per loop. If the URL is not an `http(s)` URL, the call fails with `.invalidRequest` before any I/O.
    ///
    /// The target is the call's own: an `AnyTarget` remains one, and an `HTTPClient` passes a target with the client's
    /// `baseURL`. Secrets are sent to the returned URL's origin, and not to the target's. Lists of origins, such as
    /// `trustedOrigins` or an interceptor's list, are unchanged.
    public var baseURL: (@Sendable (any TargetType) -> URL)?
    /// The header fields of all requests. A target's or endpoint's own fields with the same names win, ignoring case.
    ///
    /// The body's `Content-Type` and the token of a `TokenSource` or `TokenRefresher` also win. Requests to another
    /// origin than the call's base URL receive only fields that are known to be harmless, such as `Accept`, unless the
    /// origin is one of `trustedOrigins`.
    public var headers = HTTPHeaders()
    /// Whether the path of a target or endpoint may be an absolute `http` or `https` URL, which replaces the base URL.
    ///
    /// If `false`, a call with such a path fails before any I/O with `.invalidRequest`. Set it to `false` if paths come
    /// from a server or from users.
    public var allowsAbsolutePaths = true
    /// The origins that receive the `Authorization`, `Cookie` and other secret headers of targets, endpoints and
    /// `headers`, in addition to the base URL's origin.
    ///
    /// If an absolute path or a redirect leads to any other origin, the request is sent without these headers. The list
    /// does not affect a `TokenSource` or `TokenRefresher`, which lists its own origins and never follows a redirect to
    /// another one.
    public var trustedOrigins: [URL] = []
    /// Additional names of secret headers, query items, form fields and JSON members, ignoring case.
    ///
    /// Descriptions, errors and recordings redact the values with these names. Redirects to another origin do not send
    /// headers with these names.
    public var secretNames: Set<String> = []
    /// The properties that other products add with extensions.
    package var parts = ConfigurationParts()
    /// Receive the events of all calls. Without observers, events cost nothing.
    public var observers: [any NetworkObserver] = []
    /// Decodes bodies. A target's `keyDecodingStrategy` applies to a copy.
    ///
    /// Copies of the configuration share the decoder, because it is an object. For a copy with other strategies, assign
    /// a new decoder.
    ///
    /// On Linux a faster decoder is used; values and errors match Foundation's. A subclass of `JSONDecoder` is always
    /// used itself. For a target with a key strategy, names are then also converted between the subclass and the types,
    /// in addition to the subclass's own strategy.
    public var decoder = JSONDecoder()
    /// Encodes JSON bodies. Copies of the configuration share it.
    public var encoder = JSONEncoder()
    /// Encodes query parameters, unless their encoding has a custom encoder, as in `.query(encoder)`.
    ///
    /// A form uses the default styles, or the encoder of `.formBody(encoder)`.
    public var queryEncoder = QueryEncoder()
    /// The meaning of `ResponseValidation.success`, and the validation of targets that don't specify one.
    public var validation = ResponseValidation.success
    /// The maximum sizes of responses. A larger response fails its call with `.limit`.
    public var limits = TransferLimits()
    /// The folder for partial downloads, and for downloads without a destination.
    public var temporaryFolder = FileManager.default.temporaryDirectory
    /// Measures delays, timeouts and deadlines.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Creates a configuration with its default values.
    public init() {}
}
