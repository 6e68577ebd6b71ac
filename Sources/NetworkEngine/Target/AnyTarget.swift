public import Foundation

/// A target of any type, so that one provider can call targets of many types.
///
/// ```swift
/// let provider = NetworkProvider<AnyTarget>()
/// let user: User = try await provider.request(AnyTarget(UserAPI.user(7)))
/// ```
/// It copies every property of the target. You can change each property afterwards.
///
/// A target that is used once can be created inline:
/// ```swift
/// var target = AnyTarget(baseURL: api, path: "/users", method: .post, task: .requestJSONEncodable(draft))
/// target.timeout = .seconds(5)
/// ```
public struct AnyTarget: LocatedTarget {
    /// The target that this one was created from.
    public let target: (any TargetType)?
    public var baseURL: URL
    /// The text of the path. Text that you assign is used unchanged.
    public var path: String {
        get { location.description }
        set { location = EndpointPath(newValue) }
    }
    /// The path with its template.
    package var location: EndpointPath
    public var method: HTTPMethod
    public var task: NetworkTask
    public var headers: HTTPHeaders
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy
    public var timeout: Duration?
    public var deadline: Duration?
    public var validation: ResponseValidation
    public var authorization: AuthorizationRequirement
    public var priority: TransportContext.Priority {
        get { ownPriority ?? target?.priority ?? .ofCurrentTask }
        set { ownPriority = newValue }
    }
    private var ownPriority: TransportContext.Priority?
    /// The path with placeholders instead of values, for metrics and traces; by default the path's template.
    public var template: String? {
        get { ownTemplate ?? location.template }
        set { ownTemplate = newValue }
    }
    private var ownTemplate: String?
    public var cachePolicy: CachePolicy
    public var redirects: RedirectPolicy?

    /// Creates a target with another target's properties.
    public init(_ target: any TargetType) {
        self.init(copying: target, of: (target as? AnyTarget)?.target ?? target)
    }

    /// Creates a target from its parts. All other properties have the defaults of `TargetType`.
    ///
    /// - Parameter path: the rest of the URL; empty for `baseURL` itself.
    public init(
        baseURL: URL,
        path: EndpointPath = "",
        method: HTTPMethod = .get,
        task: NetworkTask = .requestPlain,
        headers: HTTPHeaders = [:]
    ) {
        let plain = PlainTarget(baseURL: baseURL, path: path, method: method, task: task, headers: headers)
        self.init(copying: plain, of: nil)
    }

    /// Creates a target from its parts, with headers from a dictionary.
    @_disfavoredOverload
    public init(
        baseURL: URL,
        path: EndpointPath = "",
        method: HTTPMethod = .get,
        task: NetworkTask = .requestPlain,
        headers: some TargetHeaders
    ) {
        self.init(baseURL: baseURL, path: path, method: method, task: task, headers: HTTPHeaders(declared: headers))
    }

    /// Creates a target from its parts, with a path from a variable, which is used unchanged.
    @_disfavoredOverload
    public init(
        baseURL: URL,
        path: some StringProtocol,
        method: HTTPMethod = .get,
        task: NetworkTask = .requestPlain,
        headers: HTTPHeaders = [:]
    ) {
        self.init(baseURL: baseURL, path: EndpointPath(String(path)), method: method, task: task, headers: headers)
    }

    private init(copying source: some TargetType, of target: (any TargetType)?) {
        self.target = target
        baseURL = source.baseURL
        location = source.declaredPath
        method = source.declaredMethod
        task = source.declaredTask
        headers = source.declaredHeaders
        keyDecodingStrategy = source.keyDecodingStrategy
        timeout = source.declaredTimeout
        deadline = source.declaredDeadline
        validation = source.validation
        authorization = source.authorization
        ownPriority = (source as? AnyTarget)?.ownPriority
        let template = source.declaredTemplate
        ownTemplate = template == source.declaredPath.template ? nil : template
        cachePolicy = source.cachePolicy
        redirects = source.redirects
    }
}

/// A target with default properties.
private struct PlainTarget: TargetType {
    let baseURL: URL
    let path: EndpointPath
    let method: HTTPMethod
    let task: NetworkTask
    let headers: HTTPHeaders
}
