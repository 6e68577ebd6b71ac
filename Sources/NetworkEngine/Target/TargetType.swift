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
/// Only `baseURL` and `path` have no default. A value in a literal of ``EndpointPath`` stays within its segment. A path
/// can also be a `String`, which is taken as it is. Headers can also be a dictionary (`[String: String]?`), and a
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
    /// The start of the URL. Its query is merged with the query of the path.
    ///
    /// `NetworkConfiguration.baseURL` can replace it.
    var baseURL: URL { get }
    /// The rest of the URL: empty for `baseURL` itself, with an optional query after a `?`, or an absolute URL.
    ///
    /// Declare it as an ``EndpointPath`` if it contains values. A call whose path has a segment `.` or `..` throws an
    /// error of kind `.invalidRequest`, before any I/O.
    var path: String { get }
    /// The method of the request; by default GET.
    var method: HTTPMethod { get }
    /// The content of the request; by default none.
    var task: NetworkTask { get }
    /// The header fields of the request; by default none. They replace those of the configuration's `headers`.
    var headers: HTTPHeaders { get }
    /// The strategy for JSON names. The default is the strategy of the configuration's decoder.
    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { get }
    /// The limit for the time without any byte in either direction; by default the configuration's timeout.
    var timeout: Duration? { get }
    /// The limit for the whole call, with attempts and waits; by default none. The configuration's own stays in force.
    var deadline: Duration? { get }
    /// The acceptable responses; by default statuses from 200 to 299.
    var validation: ResponseValidation { get }
    /// Whether the target needs a credential; by default it does.
    var authorization: AuthorizationRequirement { get }
    /// The order of requests that wait for a connection or permit; by default that of the task that makes the call.
    var priority: TransportContext.Priority { get }
    /// The path with names in place of its values, such as `/users/{id}`, for metrics and traces.
    ///
    /// By default that of an ``EndpointPath``, such as `/users/{}`, and none for a `String`.
    ///
    /// It changes nothing in the request. Observers get it with the start of a call.
    var template: String? { get }
    /// The use of the configuration's cache; by default as HTTP defines it.
    var cachePolicy: CachePolicy { get }
    /// The redirects that are followed; by default those of the configuration.
    var redirects: RedirectPolicy? { get }
}

extension TargetType {
    /// The method that the target declares in another type; by default GET.
    public var method: HTTPMethod { DeclaredMethod.self == HTTPMethod.self ? .get : declaredMethod }
    /// The task that the target declares in another type; by default no content.
    public var task: NetworkTask { DeclaredTask.self == NetworkTask.self ? .requestPlain : declaredTask }
    /// The headers that the target declares in another type; by default none.
    public var headers: HTTPHeaders { DeclaredHeaders.self == HTTPHeaders.self ? [:] : declaredHeaders }
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .useDefaultKeys }
    /// The timeout that the target declares in another type; by default the configuration's.
    public var timeout: Duration? { DeclaredTimeout.self == Duration?.self ? nil : declaredTimeout }
    /// The deadline that the target declares in another type; by default none.
    public var deadline: Duration? { DeclaredDeadline.self == Duration?.self ? nil : declaredDeadline }
    public var validation: ResponseValidation { .success }
    public var authorization: AuthorizationRequirement { .required }
    public var priority: TransportContext.Priority { .ofCurrentTask }
    /// The template that the target declares in another type; by default that of its path.
    public var template: String? {
        DeclaredTemplate.self == String?.self ? declaredPath.template : declaredTemplate
    }
    public var cachePolicy: CachePolicy { .useProtocol }
    /// The policy that the target declares in another type; by default that of the configuration.
    public var redirects: RedirectPolicy? {
        DeclaredRedirects.self == RedirectPolicy?.self ? nil : (redirects as DeclaredRedirects) as? RedirectPolicy
    }
}

extension TargetType {
    /// The method in the type of the target's declaration, which can differ from the type in a protocol.
    var declaredMethod: HTTPMethod { DeclaredMethod.method(declared: method) }
    /// The task in the type of the target's declaration, which can differ from the type in a protocol.
    package var declaredTask: NetworkTask { DeclaredTask.task(declared: task) }
    /// The headers in the type of the target's declaration, which can differ from the type in a protocol.
    var declaredHeaders: HTTPHeaders { HTTPHeaders(declared: headers as DeclaredHeaders) }
    /// The timeout in the type of the target's declaration, which can differ from the type in a protocol.
    var declaredTimeout: Duration? { duration(declared: timeout as DeclaredTimeout) }
    /// The deadline in the type of the target's declaration, which can differ from the type in a protocol.
    var declaredDeadline: Duration? { duration(declared: deadline as DeclaredDeadline) }
    /// The template in the type of the target's declaration, or else that of the path.
    package var declaredTemplate: String? { (template as DeclaredTemplate) as? String ?? declaredPath.template }
    /// The path in the type of the target's declaration, which can differ from the type in a protocol.
    var declaredPath: EndpointPath {
        let path = path as DeclaredPath
        if let path = path as? EndpointPath { return path }
        // The text alone has neither the fault nor the template of a path.
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

/// A target with a path besides its text, such as an erased one.
protocol LocatedTarget: TargetType {
    var location: EndpointPath { get }
}

/// A target whose requests carry the name of an operation, such as one of GraphQL.
protocol OperationTarget: TargetType {
    var operationName: String? { get }
}
