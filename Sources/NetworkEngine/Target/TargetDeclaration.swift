public import Foundation

/// The optional properties of a target, with the types of their declarations.
///
/// Only `TargetType` conforms to this protocol; your code doesn't need to refer to it. Each optional property of a
/// target has an associated type here, which Swift infers from the declaration. Therefore a property with a different
/// type than `TargetType` requires is either converted, such as headers in a dictionary, or rejected by the compiler.
/// It is never ignored in favor of a default.
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
    /// The type of the declared redirect policy.
    associatedtype DeclaredRedirects

    /// The declared path: an `EndpointPath`, or a `String`.
    var path: DeclaredPath { get }
    /// The declared method: an `HTTPMethod`, or a value that converts to one.
    var method: DeclaredMethod { get }
    /// The declared task: a `NetworkTask`, or a value that converts to one.
    var task: DeclaredTask { get }
    /// The declared headers: an `HTTPHeaders`, or a dictionary.
    var headers: DeclaredHeaders { get }
    /// The declared key strategy: a `JSONDecoder.KeyDecodingStrategy`.
    var keyDecodingStrategy: DeclaredKeyDecodingStrategy { get }
    /// The declared timeout: a `Duration`, seconds, or an optional of them.
    var timeout: DeclaredTimeout { get }
    /// The declared deadline: a `Duration`, seconds, or an optional of them.
    var deadline: DeclaredDeadline { get }
    /// The declared validation: a `ResponseValidation`.
    var validation: DeclaredValidation { get }
    /// The declared authorization: an `AuthorizationRequirement`.
    var authorization: DeclaredAuthorization { get }
    /// The declared priority: a `TransportContext.Priority`.
    var priority: DeclaredPriority { get }
    /// The declared template: a `String`, or an optional one.
    var template: DeclaredTemplate { get }
    /// The declared cache policy: a `CachePolicy`.
    var cachePolicy: DeclaredCachePolicy { get }
    /// The declared redirect policy: a `RedirectPolicy`, or an optional one.
    var redirects: DeclaredRedirects { get }
}

/// A type that a target can use to declare its method: `HTTPMethod`, or an app's own type that converts to it.
public protocol TargetMethod {
    /// Returns the method for a declared value.
    static func method(declared: Self) -> HTTPMethod
}

extension HTTPMethod: TargetMethod {
    public static func method(declared: HTTPMethod) -> HTTPMethod { declared }
}

@available(*, unavailable, message: "Text is not a method: declare 'var method: HTTPMethod { .get }'.")
extension String: TargetMethod {
    public static func method(declared: String) -> HTTPMethod { HTTPMethod(rawValue: declared) }
}

/// A type that a target can use to declare its task: `NetworkTask`, or an app's own type that converts to it.
public protocol TargetTask {
    /// Returns the task for a declared value.
    static func task(declared: Self) -> NetworkTask
}

extension NetworkTask: TargetTask {
    public static func task(declared: NetworkTask) -> NetworkTask { declared }
}

/// A type that a target can use to declare its path: `EndpointPath` or `String`.
@_documentation(visibility: internal)
public protocol TargetPath {}
extension EndpointPath: TargetPath {}
extension String: TargetPath {}

/// A type that a target can use to declare its timeout or deadline: `Duration`, `TimeInterval` for seconds, or an
/// optional of them.
@_documentation(visibility: internal)
public protocol TargetTimeout {}
extension Duration: TargetTimeout {}
extension TimeInterval: TargetTimeout {}
extension Optional: TargetTimeout where Wrapped: TargetTimeout {}

@available(
    *, unavailable, message: "An integer has no unit: declare a 'Duration?', such as '.seconds(30)'."
)
extension Int: TargetTimeout {}

/// The type that a target uses to declare its key strategy: `JSONDecoder.KeyDecodingStrategy`.
@_documentation(visibility: internal)
public protocol TargetKeyDecodingStrategy {}
extension JSONDecoder.KeyDecodingStrategy: TargetKeyDecodingStrategy {}

/// The type that a target uses to declare its validation: `ResponseValidation`.
@_documentation(visibility: internal)
public protocol TargetValidation {}
extension ResponseValidation: TargetValidation {}

/// The type that a target uses to declare whether it requires a credential: `AuthorizationRequirement`.
@_documentation(visibility: internal)
public protocol TargetAuthorization {}

/// Whether a target requires a credential.
public enum AuthorizationRequirement: Hashable, Sendable, TargetAuthorization {
    /// A call without a credential fails.
    case required
    /// Sends a credential if one is available.
    case optional
    /// No credential is sent or refreshed.
    case anonymous
}

/// The type that a target uses to declare its priority: `TransportContext.Priority`.
@_documentation(visibility: internal)
public protocol TargetPriority {}
extension TransportContext.Priority: TargetPriority {}

/// A type that a target can use to declare its template: `String`, or an optional of it.
@_documentation(visibility: internal)
public protocol TargetTemplate {}
extension String: TargetTemplate {}
extension Optional: TargetTemplate where Wrapped: TargetTemplate {}

/// The type that a target uses to declare its cache policy: `CachePolicy`.
@_documentation(visibility: internal)
public protocol TargetCachePolicy {}
extension CachePolicy: TargetCachePolicy {}

/// A type that a target can use to declare its redirect policy: `RedirectPolicy`, or an optional of it.
@_documentation(visibility: internal)
public protocol TargetRedirects {}
extension RedirectPolicy: TargetRedirects {}
extension Optional: TargetRedirects where Wrapped: TargetRedirects {}
