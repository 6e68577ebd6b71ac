public import Foundation

/// Describes a request without sending it.
///
/// ```swift
/// enum UserAPI: TargetType {
///     case list(page: Int)
///     case user(Int)
///
///     var baseURL: URL { URL(string: "https://api.example.com/v1")! }
///     var path: EndpointPath {
///         switch self {
///         case .list: "/users"
///         case .user(let id): "/users/\(id)"
///         }
///     }
///     var task: NetworkTask {
///         switch self {
///         case .list(let page): .requestParameters(parameters: ["page": page], encoding: .query)
///         case .user: .requestPlain
///         }
///     }
/// }
/// ```
/// Only `baseURL` and `path` have no default. In an ``EndpointPath`` literal, each value remains within its segment. A
/// path can also be a `String`, which is used unchanged. Headers can also be a dictionary (`[String: String]?`), and a
/// timeout can be a non-optional `Duration` or seconds (`TimeInterval`). A property of another type does not compile.
public protocol TargetType: TargetDeclaration, Sendable
where
    DeclaredPath: TargetPath, DeclaredMethod: TargetMethod, DeclaredTask: TargetTask,
    DeclaredHeaders: TargetHeaders, DeclaredKeyDecodingStrategy: TargetKeyDecodingStrategy,
    DeclaredTimeout: TargetTimeout, DeclaredDeadline: TargetTimeout, DeclaredValidation: TargetValidation,
    DeclaredAuthorization: TargetAuthorization, DeclaredPriority: TargetPriority,
    DeclaredTemplate: TargetTemplate,
    DeclaredCachePolicy: TargetCachePolicy, DeclaredRedirects: TargetRedirects
{
    /// The start of the URL. Its query is merged with the path's query.
    ///
    /// `NetworkConfiguration.baseURL` can replace it.
    var baseURL: URL { get }
    /// The rest of the URL: empty for `baseURL` itself, with an optional query after a `?`, or an absolute URL.
    ///
    /// Declare it as an ``EndpointPath`` if it contains values. If the path has a segment `.` or `..`, the call throws
    /// an error of kind `.invalidRequest`, before any I/O.
    var path: String { get }
    /// The request method; by default GET.
    var method: HTTPMethod { get }
    /// The request's content; by default none.
    var task: NetworkTask { get }
    /// The request's header fields; by default none. They override those in the configuration's `headers`.
    var headers: HTTPHeaders { get }
    /// The strategy for JSON names; by default the strategy of the configuration's decoder.
    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { get }
    /// The limit for the time without any bytes in either direction; by default the configuration's timeout.
    var timeout: Duration? { get }
    /// The limit for the whole call, including retries and waits; by default none. The configuration's deadline still
    /// applies.
    var deadline: Duration? { get }
    /// The acceptable responses; by default statuses from 200 to 299.
    var validation: ResponseValidation { get }
    /// Whether the target requires a credential; by default it does.
    var authorization: AuthorizationRequirement { get }
    /// The priority while waiting for a connection or permit; by default the priority of the calling task.
    var priority: TransportContext.Priority { get }
    /// The path with placeholders instead of values, such as `/users/{id}`, for metrics and traces.
    ///
    /// By default it is the template of an ``EndpointPath``, such as `/users/{}`. A `String` has none.
    ///
    /// It does not affect the request. Observers receive it when a call starts.
    var template: String? { get }
    /// The cache policy; by default caching follows HTTP's rules.
    var cachePolicy: CachePolicy { get }
    /// The redirects to follow; by default as in the configuration.
    var redirects: RedirectPolicy? { get }
}

extension TargetType {
    /// The method that the target declares with another type; by default GET.
    public var method: HTTPMethod { DeclaredMethod.self == HTTPMethod.self ? .get : declaredMethod }
    /// The task that the target declares with another type; by default no content.
    public var task: NetworkTask { DeclaredTask.self == NetworkTask.self ? .requestPlain : declaredTask }
    /// The headers that the target declares with another type; by default none.
    public var headers: HTTPHeaders { DeclaredHeaders.self == HTTPHeaders.self ? [:] : declaredHeaders }
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .useDefaultKeys }
    /// The timeout that the target declares with another type; by default the configuration's.
    public var timeout: Duration? { DeclaredTimeout.self == Duration?.self ? nil : declaredTimeout }
    /// The deadline that the target declares with another type; by default none.
    public var deadline: Duration? { DeclaredDeadline.self == Duration?.self ? nil : declaredDeadline }
    public var validation: ResponseValidation { .success }
    public var authorization: AuthorizationRequirement { .required }
    public var priority: TransportContext.Priority { .ofCurrentTask }
    /// The template that the target declares with another type; by default the path's template.
    public var template: String? {
        DeclaredTemplate.self == String?.self ? declaredPath.template : declaredTemplate
    }
    public var cachePolicy: CachePolicy { .useProtocol }
    /// The redirect policy that the target declares with another type; by default the configuration's.
    public var redirects: RedirectPolicy? {
        DeclaredRedirects.self == RedirectPolicy?.self ? nil : (redirects as DeclaredRedirects) as? RedirectPolicy
    }
}

extension TargetType {
    /// The method in the declared type, which can differ from a protocol's type.
    var declaredMethod: HTTPMethod { DeclaredMethod.method(declared: method) }
    /// The task in the declared type, which can differ from a protocol's type.
    package var declaredTask: NetworkTask { DeclaredTask.task(declared: task) }
    /// The headers in the declared type, which can differ from a protocol's type.
    var declaredHeaders: HTTPHeaders { HTTPHeaders(declared: headers as DeclaredHeaders) }
    /// The timeout in the declared type, which can differ from a protocol's type.
    var declaredTimeout: Duration? { duration(declared: timeout as DeclaredTimeout) }
    /// The deadline in the declared type, which can differ from a protocol's type.
    var declaredDeadline: Duration? { duration(declared: deadline as DeclaredDeadline) }
    /// The template in the declared type, or the path's template.
    package var declaredTemplate: String? { (template as DeclaredTemplate) as? String ?? declaredPath.template }
    /// The path in the declared type, which can differ from a protocol's type.
    var declaredPath: EndpointPath {
        let path = path as DeclaredPath
        if let path = path as? EndpointPath { return path }
        // The text alone lacks the path's fault and template.
        if let target = self as? any LocatedTarget { return target.location }
        return EndpointPath(path as? String ?? "")
    }
}

extension TargetType where DeclaredPath == EndpointPath {
    /// The text of the declared path.
    public var path: String { declaredPath.description }
}

private func duration(declared: some TargetTimeout) -> Duration? {
    if let duration = declared as? Duration { return duration }
    guard let seconds = declared as? TimeInterval, !seconds.isNaN else { return nil }
    // A thousand years fit into a duration; longer times are not useful.
    let longest = 3e10
    return .seconds(min(max(seconds, -longest), longest))
}

/// A target that stores a path and not only its text, such as a type-erased one.
protocol LocatedTarget: TargetType {
    var location: EndpointPath { get }
}

/// A target with an operation name for its requests, such as a GraphQL operation.
protocol OperationTarget: TargetType {
    var operationName: String? { get }
}
