/// Where a credential outlives the process, possibly shared with other processes.
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
    associatedtype Value: Credential

    /// What is stored; `nil` when nobody is signed in.
    func load() async throws -> Value?

    /// Stores a credential, or none, provided that nobody else has changed what was there: a compare-and-swap.
    ///
    /// - Returns: whether it was stored; `false` when something else was there than `old`.
    @discardableResult
    func save(_ new: Value?, replacing old: Value?) async throws -> Bool

    /// Runs a renewal while no other process does; a store that others share takes its lock here.
    ///
    /// The default runs it at once: compare-and-swap keeps what is stored right, and two processes that renew at the same
    /// time are sorted out afterwards.
    func exclusively<Result: Sendable>(_ work: @Sendable @concurrent () async -> Result) async throws -> Result
}

extension CredentialStore {
    public func exclusively<Result: Sendable>(_ work: @Sendable @concurrent () async -> Result) async throws -> Result {
        try await exclusivelyAsDeclared(work)
    }
}

/// The lock of a store whose module has `NonisolatedNonsendingByDefault`.
///
/// Nothing conforms to this protocol but `CredentialStore`, and no code needs to name it. In such a module
/// `@Sendable () async -> Result` is another type than in others. Without this requirement the lock would compile and never
/// be taken.
public protocol CredentialStoreDeclaration: Sendable {
    @_disfavoredOverload
    func exclusively<Result: Sendable>(
        _ work: nonisolated(nonsending) @Sendable () async -> Result
    ) async throws -> Result
}

extension CredentialStoreDeclaration {
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

/// A store that forgets with the process.
///
/// ```swift
/// let store = InMemoryCredentialStore(BearerToken("old", refreshToken: "r"))
/// ```
/// Copies share what is stored.
public struct InMemoryCredentialStore<Value: Credential>: CredentialStore {
    private let stored: Locked<Value?>

    public init(_ credential: Value?) { stored = Locked(credential) }

    /// What is stored.
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
