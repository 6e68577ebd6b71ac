public import Foundation

/// What to call: one value describes one request, without sending it.
///
/// ```swift
/// enum UserAPI: TargetType {
///     case list(page: Int)
///     case user(Int)
///
///     var baseURL: URL { URL(string: "https://api.example.com/v1")! }
///     var path: String {
///         switch self {
///         case .list: "/users"
///         case .user(let id): "/users/\(id)"
///         }
///     }
///     var method: HTTPMethod { .get }
///     var task: NetworkTask {
///         switch self {
///         case .list(let page): .requestParameters(parameters: ["page": page], encoding: .query)
///         case .user: .requestPlain
///         }
///     }
/// }
/// ```
/// Headers can also be a dictionary (`[String: String]?`), and a timeout seconds (`TimeInterval`) or no optional. A property
/// of another type does not compile.
public protocol TargetType: TargetDeclaration, Sendable
where
    DeclaredHeaders: TargetHeaders, DeclaredKeyDecodingStrategy: TargetKeyDecodingStrategy,
    DeclaredTimeout: TargetTimeout, DeclaredValidation: TargetValidation,
    DeclaredAuthorization: TargetAuthorization, DeclaredPriority: TargetPriority
{
    /// What the path is put behind; a query it has is kept and merged.
    var baseURL: URL { get }
    /// The rest of the address. Empty leaves `baseURL` as it is, a `?` begins a query, an `http(s)` URL replaces the base.
    var path: String { get }
    var method: HTTPMethod { get }
    var task: NetworkTask { get }

    /// None unless given.
    var headers: HTTPHeaders { get }
    /// How JSON names become property names. The default leaves the configured decoder as it is.
    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { get }
    /// Limits the time without any byte in either direction; the configuration's timeout unless given.
    var timeout: Duration? { get }
    /// Which responses are acceptable; 200 to 299 unless given.
    var validation: ResponseValidation { get }
    /// Whether a credential is needed; it is unless this says otherwise.
    var authorization: AuthorizationRequirement { get }
    /// Who goes first where requests have to wait for a place; `.normal` unless given.
    var priority: TransportContext.Priority { get }
}

extension TargetType {
    /// The headers that the target declares in another type; none unless given.
    public var headers: HTTPHeaders { DeclaredHeaders.self == HTTPHeaders.self ? [:] : declaredHeaders }
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .useDefaultKeys }
    /// The timeout that the target declares in another type; the configuration's unless given.
    public var timeout: Duration? { DeclaredTimeout.self == Duration?.self ? nil : declaredTimeout }
    public var validation: ResponseValidation { .success }
    public var authorization: AuthorizationRequirement { .required }
    public var priority: TransportContext.Priority { .normal }
}

extension TargetType {
    /// The headers in the type that the target declares, which a protocol that it conforms to may have in another.
    package var declaredHeaders: HTTPHeaders { DeclaredHeaders.headers(declared: headers) }
    /// The timeout in the type that the target declares, which a protocol that it conforms to may have in another.
    package var declaredTimeout: Duration? { DeclaredTimeout.timeout(declared: timeout) }
}
