public import Foundation

/// The optional properties of a target, in the types of their declarations.
///
/// Only `TargetType` conforms to this protocol, and no code needs to name it. Each optional property of a target has an
/// associated type here, which Swift infers from the declaration. A property of another type than `TargetType` requires
/// is therefore either converted, such as headers in a dictionary, or rejected by the compiler. It is never ignored in
/// favor of a default.
public protocol TargetDeclaration {
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

/// A type in which a target can declare its timeout: `Duration`, `TimeInterval` for seconds, or an optional of them.
public protocol TargetTimeout {
    /// Returns the timeout of a declared value; `nil` for the timeout of the configuration.
    static func timeout(declared: Self) -> Duration?
}

extension Duration: TargetTimeout {
    public static func timeout(declared: Duration) -> Duration? { declared }
}

extension TimeInterval: TargetTimeout {
    public static func timeout(declared: TimeInterval) -> Duration? {
        guard !declared.isNaN else { return nil }
        // A thousand years fit into a duration; longer times are not useful.
        let longest = 3e10
        return .seconds(min(max(declared, -longest), longest))
    }
}

extension Optional: TargetTimeout where Wrapped: TargetTimeout {
    public static func timeout(declared: Wrapped?) -> Duration? { declared.flatMap(Wrapped.timeout) }
}

@available(
    *, unavailable, message: "An integer has no unit: declare 'var timeout: Duration? { .seconds(30) }'."
)
extension Int: TargetTimeout {
    public static func timeout(declared: Int) -> Duration? { .seconds(declared) }
}

/// The type in which a target declares its key strategy: `JSONDecoder.KeyDecodingStrategy`.
public protocol TargetKeyDecodingStrategy {}
extension JSONDecoder.KeyDecodingStrategy: TargetKeyDecodingStrategy {}

/// The type in which a target declares its validation: `ResponseValidation`.
public protocol TargetValidation {}
extension ResponseValidation: TargetValidation {}

/// The type in which a target declares whether it needs a credential: `AuthorizationRequirement`.
public protocol TargetAuthorization {}

/// Whether a target needs a credential.
public enum AuthorizationRequirement: Hashable, Sendable, TargetAuthorization {
    /// A call without a credential fails.
    case required
    /// The credential is sent if there is one.
    case optional
    /// No credential is sent or refreshed.
    case none
}

/// The type in which a target declares its priority: `TransportContext.Priority`.
public protocol TargetPriority {}
extension TransportContext.Priority: TargetPriority {}

/// A type in which a target can declare its template: `String`, or an optional of it.
public protocol TargetTemplate {
    /// Returns the template of a declared value; `nil` for none.
    static func template(declared: Self) -> String?
}

extension String: TargetTemplate {
    public static func template(declared: String) -> String? { declared }
}

extension Optional: TargetTemplate where Wrapped: TargetTemplate {
    public static func template(declared: Wrapped?) -> String? { declared.flatMap(Wrapped.template) }
}

/// The type in which a target declares its use of stored responses: `CachePolicy`.
public protocol TargetCachePolicy {}
extension CachePolicy: TargetCachePolicy {}
