public import Foundation

/// The optional properties of a target in the types that their author chose.
///
/// Nothing conforms to this protocol but `TargetType`, and no code needs to name it. Each optional property of a target has
/// an associated type here, which Swift infers from the declaration. A property of another type than `TargetType` asks for
/// is therefore either understood, such as headers in a dictionary, or an error of the compiler. It is never replaced by a
/// default.
public protocol TargetDeclaration {
    associatedtype DeclaredHeaders
    associatedtype DeclaredKeyDecodingStrategy
    associatedtype DeclaredTimeout
    associatedtype DeclaredValidation
    associatedtype DeclaredAuthorization
    associatedtype DeclaredPriority

    var headers: DeclaredHeaders { get }
    var keyDecodingStrategy: DeclaredKeyDecodingStrategy { get }
    var timeout: DeclaredTimeout { get }
    var validation: DeclaredValidation { get }
    var authorization: DeclaredAuthorization { get }
    var priority: DeclaredPriority { get }
}

/// A type in which a target can declare its headers: `HTTPHeaders`, `[String: String]`, or an optional of them.
public protocol TargetHeaders {
    /// The headers of a declared value.
    static func headers(declared: Self) -> HTTPHeaders
}

extension HTTPHeaders: TargetHeaders {
    public static func headers(declared: HTTPHeaders) -> HTTPHeaders { declared }
}

extension [String: String]: TargetHeaders {
    public static func headers(declared: [String: String]) -> HTTPHeaders { HTTPHeaders(declared) }
}

extension Optional: TargetHeaders where Wrapped: TargetHeaders {
    public static func headers(declared: Wrapped?) -> HTTPHeaders { declared.map(Wrapped.headers) ?? [:] }
}

/// A type in which a target can declare its timeout: `Duration`, `TimeInterval` for seconds, or an optional of them.
public protocol TargetTimeout {
    /// The timeout of a declared value; `nil` for the timeout of the configuration.
    static func timeout(declared: Self) -> Duration?
}

extension Duration: TargetTimeout {
    public static func timeout(declared: Duration) -> Duration? { declared }
}

extension TimeInterval: TargetTimeout {
    public static func timeout(declared: TimeInterval) -> Duration? {
        guard !declared.isNaN else { return nil }
        // A thousand years are as good as any longer time, and a duration can hold them.
        let longest = 3e10
        return .seconds(min(max(declared, -longest), longest))
    }
}

extension Optional: TargetTimeout where Wrapped: TargetTimeout {
    public static func timeout(declared: Wrapped?) -> Duration? { declared.flatMap(Wrapped.timeout) }
}

@available(
    *, unavailable, message: "A number does not say its unit: declare 'var timeout: Duration? { .seconds(30) }'."
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
extension AuthorizationRequirement: TargetAuthorization {}

/// The type in which a target declares its priority: `TransportContext.Priority`.
public protocol TargetPriority {}
extension TransportContext.Priority: TargetPriority {}
