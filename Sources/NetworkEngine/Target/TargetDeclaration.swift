public import Foundation

/// The optional properties of a target, in the types of their declarations.
///
/// Only `TargetType` conforms to this protocol, and no code needs to name it. Each optional property of a target has an
/// associated type here, which Swift infers from the declaration. A property of another type than `TargetType` requires
/// is therefore either converted, such as headers in a dictionary, or rejected by the compiler. It is never ignored in
/// favor of a default.
@_documentation(visibility: internal)
public protocol TargetDeclaration {
    /// The type of the declared path.
    associatedtype DeclaredPath
    /// The type of the declared method.
    associatedtype DeclaredMethod
    /// The type of the declared task.
    associatedtype DeclaredTask
    /// The type of the declared headers.
    associatedtype DeclaredHeaders
    /// The type of the declared key strategy.
    associatedtype DeclaredKeyDecodingStrategy
    /// The type of the declared timeout.
    associatedtype DeclaredTimeout
    /// The type of the declared deadline.
    associatedtype DeclaredDeadline
    /// The type of the declared validation.
    associatedtype DeclaredValidation
    /// The type of the declared authorization.
    associatedtype DeclaredAuthorization
    /// The type of the declared priority.
    associatedtype DeclaredPriority
    /// The type of the declared template.
    associatedtype DeclaredTemplate
    /// The type of the declared cache policy.
    associatedtype DeclaredCachePolicy
    /// The type of the declared policy for redirects.
    associatedtype DeclaredRedirects

    /// The path as it is declared: an `EndpointPath`, or a `String`.
    var path: DeclaredPath { get }
    /// The method as it is declared: an `HTTPMethod`, or a value that converts to one.
    var method: DeclaredMethod { get }
    /// The task as it is declared: a `NetworkTask`, or a value that converts to one.
    var task: DeclaredTask { get }
    /// The headers as they are declared: an `HTTPHeaders`, or a dictionary.
    var headers: DeclaredHeaders { get }
    /// The key strategy as it is declared: a `JSONDecoder.KeyDecodingStrategy`.
    var keyDecodingStrategy: DeclaredKeyDecodingStrategy { get }
    /// The timeout as it is declared: a `Duration`, seconds, or an optional of them.
    var timeout: DeclaredTimeout { get }
    /// The deadline as it is declared: a `Duration`, seconds, or an optional of them.
    var deadline: DeclaredDeadline { get }
    /// The validation as it is declared: a `ResponseValidation`.
    var validation: DeclaredValidation { get }
    /// The authorization as it is declared: an `AuthorizationRequirement`.
    var authorization: DeclaredAuthorization { get }
    /// The priority as it is declared: a `TransportContext.Priority`.
    var priority: DeclaredPriority { get }
    /// The template as it is declared: a `String`, or an optional one.
    var template: DeclaredTemplate { get }
    /// The cache policy as it is declared: a `CachePolicy`.
    var cachePolicy: DeclaredCachePolicy { get }
    /// The policy for redirects as it is declared: a `RedirectPolicy`, or an optional one.
    var redirects: DeclaredRedirects { get }
}

/// A type in which a target can declare its method: `HTTPMethod`, or an app's own type that converts to it.
public protocol TargetMethod {
    /// Returns the method of a declared value.
    static func method(declared: Self) -> HTTPMethod
}

extension HTTPMethod: TargetMethod {
    public static func method(declared: HTTPMethod) -> HTTPMethod { declared }
}

@available(*, unavailable, message: "Text is not a method: declare 'var method: HTTPMethod { .get }'.")
extension String: TargetMethod {
    public static func method(declared: String) -> HTTPMethod { HTTPMethod(rawValue: declared) }
}

/// A type in which a target can declare its task: `NetworkTask`, or an app's own type that converts to it.
public protocol TargetTask {
    /// Returns the task of a declared value.
    static func task(declared: Self) -> NetworkTask
}

extension NetworkTask: TargetTask {
    public static func task(declared: NetworkTask) -> NetworkTask { declared }
}

/// A type in which a target can declare its path: `EndpointPath` or `String`.
@_documentation(visibility: internal)
public protocol TargetPath {}
extension EndpointPath: TargetPath {}
extension String: TargetPath {}

/// A type in which a target can declare its timeout or deadline: `Duration`, `TimeInterval` for seconds, or an optional
/// of them.
@_documentation(visibility: internal)
public protocol TargetTimeout {}
extension Duration: TargetTimeout {}
extension TimeInterval: TargetTimeout {}
extension Optional: TargetTimeout where Wrapped: TargetTimeout {}

@available(
    *, unavailable, message: "An integer has no unit: declare a 'Duration?', such as '.seconds(30)'."
)
extension Int: TargetTimeout {}

/// The type in which a target declares its key strategy: `JSONDecoder.KeyDecodingStrategy`.
@_documentation(visibility: internal)
public protocol TargetKeyDecodingStrategy {}
extension JSONDecoder.KeyDecodingStrategy: TargetKeyDecodingStrategy {}

/// The type in which a target declares its validation: `ResponseValidation`.
@_documentation(visibility: internal)
public protocol TargetValidation {}
extension ResponseValidation: TargetValidation {}

/// The type in which a target declares whether it needs a credential: `AuthorizationRequirement`.
@_documentation(visibility: internal)
public protocol TargetAuthorization {}

/// Whether a target needs a credential.
public enum AuthorizationRequirement: Hashable, Sendable, TargetAuthorization {
    /// A call without a credential fails.
    case required
    /// The credential is sent if there is one.
    case optional
    /// No credential is sent or refreshed.
    case anonymous
}

/// The type in which a target declares its priority: `TransportContext.Priority`.
@_documentation(visibility: internal)
public protocol TargetPriority {}
extension TransportContext.Priority: TargetPriority {}

/// A type in which a target can declare its template: `String`, or an optional of it.
@_documentation(visibility: internal)
public protocol TargetTemplate {}
extension String: TargetTemplate {}
extension Optional: TargetTemplate where Wrapped: TargetTemplate {}

/// The type in which a target declares its use of stored responses: `CachePolicy`.
@_documentation(visibility: internal)
public protocol TargetCachePolicy {}
extension CachePolicy: TargetCachePolicy {}

/// A type in which a target can declare its policy for redirects: `RedirectPolicy`, or an optional of it.
@_documentation(visibility: internal)
public protocol TargetRedirects {}
extension RedirectPolicy: TargetRedirects {}
extension Optional: TargetRedirects where Wrapped: TargetRedirects {}
