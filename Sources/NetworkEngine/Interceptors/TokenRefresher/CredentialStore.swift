/// Stores a credential that outlives the process, possibly shared with other processes.
///
/// ```swift
/// actor FileStore: CredentialStore {
///     private var stored: BearerToken?
///
///     func load() -> BearerToken? { stored }
///
///     func save(_ new: BearerToken?, replacing old: BearerToken?) -> Bool {
///         guard stored == old else { return false }
///         stored = new
///         return true
///     }
/// }
/// ```
public protocol CredentialStore<Value>: CredentialStoreDeclaration {
    /// The type of the credential.
    associatedtype Value: Credential

    /// Returns the stored credential; `nil` if no user is signed in.
    func load() async throws -> Value?

    /// Stores or removes the credential if the stored one is still `old`: a compare-and-swap.
    ///
    /// - Returns: whether the value was stored; `false` if the stored credential was not `old`.
    @discardableResult
    func save(_ new: Value?, replacing old: Value?) async throws -> Bool

    /// Runs a refresh while no other process runs one. A shared store takes its lock here.
    ///
    /// By default the refresh runs immediately: the compare-and-swap keeps the store consistent if two processes
    /// refresh at the same time.
    func exclusively<Result: Sendable>(_ work: @Sendable @concurrent () async -> Result) async throws -> Result
}

extension CredentialStore {
    public func exclusively<Result: Sendable>(_ work: @Sendable @concurrent () async -> Result) async throws -> Result {
        try await exclusivelyAsDeclared(work)
    }
}

/// A store's lock in a module with `NonisolatedNonsendingByDefault`.
///
/// Only `CredentialStore` conforms to this protocol; your code doesn't need to refer to it. In such a module,
/// `@Sendable () async -> Result` is a different type than in other modules. Without this requirement the lock would
/// compile but never be taken.
@_documentation(visibility: internal)
public protocol CredentialStoreDeclaration: Sendable {
    /// Runs a refresh while no other process runs one, like the method of `CredentialStore`.
    @_disfavoredOverload
    func exclusively<Result: Sendable>(
        _ work: nonisolated(nonsending) @Sendable () async -> Result
    ) async throws -> Result
}

extension CredentialStoreDeclaration {
    /// Runs the refresh immediately, without a lock.
    @_disfavoredOverload
    public func exclusively<Result: Sendable>(
        _ work: nonisolated(nonsending) @Sendable () async -> Result
    ) async throws -> Result {
        await work()
    }

    /// Takes the lock that this protocol requires.
    fileprivate func exclusivelyAsDeclared<Result: Sendable>(
        _ work: @Sendable @concurrent () async -> Result
    ) async throws -> Result {
        try await exclusively(work)
    }
}

/// An in-memory store.
///
/// ```swift
/// let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
/// ```
/// Copies share the credential.
public struct InMemoryCredentialStore<Value: Credential>: CredentialStore {
    private let stored: Locked<Value?>

    /// Creates a store with a credential; `nil` if no user is signed in.
    public init(_ credential: Value?) { stored = Locked(credential) }

    /// The stored credential.
    public var current: Value? { stored.withLock { $0 } }

    public func load() -> Value? { current }

    @discardableResult
    public func save(_ new: Value?, replacing old: Value?) -> Bool {
        stored.withLock { stored in
            guard stored == old else { return false }
            stored = new
            return true
        }
    }
}
