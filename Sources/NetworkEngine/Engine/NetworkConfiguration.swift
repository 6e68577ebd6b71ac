public import Foundation

/// The configuration of calls: transport, time limits, attempts, interceptors and coding.
///
/// ```swift
/// var configuration = NetworkConfiguration()
/// configuration.deadline = .seconds(20)
/// let provider = NetworkProvider<UserAPI>(configuration: configuration)
/// ```
public struct NetworkConfiguration: Sendable {
    /// The transport that sends requests. By default one URLSession, shared by the whole process.
    public var transport: any Transport {
        get { chosenTransport ?? URLSessionTransport.shared }
        set { chosenTransport = newValue }
    }
    /// A configuration with another transport makes no session of the system.
    private var chosenTransport: (any Transport)?
    /// Limits the time without any byte in either direction; waiting in a queue does not count.
    ///
    /// The timeout of a target or a request replaces it. An exchange with steady traffic may take any time.
    public var timeout: Duration = .seconds(60)
    /// Limits the whole call: attempts, waits between them, interceptors, queues and decoding. None unless set.
    ///
    /// It ends an upload or a download that has not finished. For a stream it applies until the head, and for
    /// server-sent events until the head of each connection. It does not interrupt the decoding of a body of up to
    /// 64 KiB: a call that is still decoding one fails when the decoder returns.
    public var deadline: Duration?
    /// The maximum number of attempts of a call, including the first.
    ///
    /// The default is 3, or the limit of a `RetryPolicy` that allows more. A value that is set limits every policy.
    public var attemptLimit: Int {
        get { chosenAttemptLimit ?? 3 }
        set { chosenAttemptLimit = newValue }
    }
    /// The limit that was set.
    private(set) var chosenAttemptLimit: Int?
    /// Which redirects are followed. The default follows up to 20, never from `https` to `http`.
    public var redirects = RedirectPolicy.follow
    /// Returns the base for the calls of a target, in place of the target's or client's `baseURL`.
    ///
    /// ```swift
    /// configuration.baseURL = { _ in staging }
    /// ```
    /// It applies to every call of a target or endpoint: requests, transfers, streams, events, GraphQL, and the calls
    /// of a token refresh. It is called once for each call, in the task of the caller or in one with its task-locals;
    /// for events once for each loop. A URL that is not an `http(s)` URL fails the call with `.invalidRequest` before
    /// I/O.
    ///
    /// The target is the one of the call: an `AnyTarget` stays one, and that of an `HTTPClient` has the client's
    /// `baseURL`. Secrets are sent to the origin of the returned URL, and not to that of the target. A list of origins,
    /// such as `trustedOrigins` or that of an interceptor, stays as it is.
    public var baseURL: (@Sendable (any TargetType) -> URL)?
    /// The header fields of all requests. A target's or endpoint's own fields of the same names win, ignoring case.
    ///
    /// The body's `Content-Type` and the token of a `TokenSource` or `TokenRefresher` win, too. Requests to another
    /// origin than that of the call's base get only fields that are known to be harmless, such as `Accept`, unless the
    /// origin is one of `trustedOrigins`.
    public var headers = HTTPHeaders()
    /// Whether the path of a target or endpoint may be an absolute `http` or `https` URL, which replaces the base.
    ///
    /// When this is `false`, such a path fails before I/O with `.invalidRequest`. Set it where paths come from a server
    /// or from users.
    public var allowsAbsolutePaths = true
    /// The origins that get the `Authorization`, `Cookie` and other secret headers of targets, endpoints and `headers`,
    /// besides the origin of the base.
    ///
    /// A request that an absolute path or a redirect leads to any other origin is sent without these headers. They do
    /// not affect a `TokenSource` or `TokenRefresher`, which lists its own origins and never follows a redirect to
    /// another one.
    public var trustedOrigins: [URL] = []
    /// Additional names of secret headers, query items, form fields and JSON members, ignoring case.
    ///
    /// Descriptions, errors and recordings hide the values of these names. Redirects to another origin do not send
    /// headers with these names.
    public var secretNames: Set<String> = []
    /// What other products add: the properties of their extensions.
    package var parts = ConfigurationParts()
    /// Receive the events of all calls. Without observers, events cost nothing.
    public var observers: [any NetworkObserver] = []
    /// Decodes bodies. A target's `keyDecodingStrategy` applies to a copy.
    ///
    /// A decoder is an object, which copies of the configuration share. Give a copy with other strategies a new one.
    ///
    /// On Linux a faster decoder is used; values and errors match Foundation's. A subclass of `JSONDecoder` is always
    /// used itself. For a target with a key strategy, names are then converted between it and the types, in addition to
    /// its own strategy.
    public var decoder = JSONDecoder()
    /// Encodes JSON bodies. Copies of the configuration share it.
    public var encoder = JSONEncoder()
    /// Encodes the parameters of queries, unless their encoding has an encoder of its own, as `.query(encoder)` has.
    ///
    /// A form has the default styles, or the encoder of `.formBody(encoder)`.
    public var queryEncoder = QueryEncoder()
    /// The meaning of `ResponseValidation.success`, and the validation of targets without one.
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
