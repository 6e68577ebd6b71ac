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
public protocol TargetType: Sendable {
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
    /// The time one attempt may take; the configuration's unless given.
    var timeout: Duration? { get }
    /// Which responses are acceptable; 200 to 299 unless given.
    var validation: ResponseValidation { get }
    /// Whether a credential is needed; it is unless this says otherwise.
    var authorization: AuthorizationRequirement { get }
    /// Who goes first where requests have to wait for a place; `.normal` unless given.
    var priority: TransportContext.Priority { get }
}

extension TargetType {
    public var headers: HTTPHeaders { [:] }
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .useDefaultKeys }
    public var timeout: Duration? { nil }
    public var validation: ResponseValidation { .success }
    public var authorization: AuthorizationRequirement { .required }
    public var priority: TransportContext.Priority { .normal }
}
