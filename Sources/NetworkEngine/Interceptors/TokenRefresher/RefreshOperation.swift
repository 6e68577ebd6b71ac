/// Refreshes a credential and updates the store, which other processes may also use.
struct RefreshOperation<Token: Credential>: Sendable {
    /// Returns a new credential for an old one, or for `nil` if there is none.
    typealias Refresh = @Sendable @concurrent (Token?, RefreshContext) async throws -> Token

    /// The result of a refresh.
    struct Outcome: Sendable {
        let result: Result<Token, RefreshFailure>
        /// What the store still contains, if it rejected the result or an earlier change.
        var stale: StaleContents<Token>?
        /// Whether the result is not stored yet, because the store rejected an earlier change. Only the refresher can
        /// tell whether a sign-in or sign-out came before it.
        var isUnsaved = false
        /// Whether other code has stored the credential, possibly for another user.
        var isOfOthers = false
    }

    let store: any CredentialStore<Token>
    let refresh: Refresh
    /// Whether a new credential does not depend on the old one, so that no session can end.
    let obtains: Bool
    let isSessionOver: @Sendable (any Error) -> Bool

    init(
        store: any CredentialStore<Token>,
        refresh: @escaping Refresh,
        obtains: Bool = false,
        isSessionOver: @escaping @Sendable (any Error) -> Bool
    ) {
        self.store = store
        self.refresh = refresh
        self.obtains = obtains
        self.isSessionOver = isSessionOver
    }

    /// Replaces an invalid credential.
    ///
    /// - Parameter stale: the contents of a store that has rejected an earlier change.
    func run(_ old: Token?, stale: StaleContents<Token>?, _ context: RefreshContext) async -> Outcome {
        do {
            return try await store.exclusively { await runExclusively(old, stale, context) }
        } catch {
            return Outcome(result: .failure(.failed(error)), stale: stale)
        }
    }

    private func runExclusively(
        _ old: Token?,
        _ stale: StaleContents<Token>?,
        _ context: RefreshContext
    ) async -> Outcome {
        if let other = await replacement(of: old, stale) { return other }
        do {
            return await save(try await refresh(old, context), replacing: old, stale)
        } catch {
            return await fail(failure(of: error), old, stale)
        }
    }

    private func failure(of error: any Error) -> RefreshFailure {
        let failure = error as? RefreshFailure
        if obtains { return failure.map { $0.endsSession ? .failed(error) : $0 } ?? .failed(error) }
        if case .signedOut? = failure { return .sessionExpired }
        return failure ?? (isSessionOver(error) ? .sessionExpired : .failed(error))
    }

    /// Returns the credential that another process has stored; `nil` if there is none to use.
    private func replacement(of old: Token?, _ stale: StaleContents<Token>?) async -> Outcome? {
        do {
            let stored = try await store.load()
            if stored == old || stale?.include(stored) == true { return nil }
            if stored == nil, obtains { return nil }
            return Outcome(result: stored.map { .success($0) } ?? .failure(.sessionExpired), isOfOthers: true)
        } catch {
            return Outcome(result: .failure(.failed(error)), stale: stale)
        }
    }

    /// A store failure must not end the session: the credential is valid and remains in memory.
    private func save(_ new: Token, replacing old: Token?, _ stale: StaleContents<Token>?) async -> Outcome {
        if let stale { return Outcome(result: .success(new), stale: stale.adding(old), isUnsaved: true) }
        var isSaved = try? await store.save(new, replacing: old)
        if isSaved == false, var other = await replacement(of: old, nil) {
            // The closure may have stored it.
            if case .success(new) = other.result { other.isOfOthers = false }
            return other
        }
        // Other code has emptied the store.
        if isSaved == false, obtains { isSaved = try? await store.save(new, replacing: nil) }
        if isSaved == true { return Outcome(result: .success(new)) }
        return Outcome(result: .success(new), stale: old.map { .credentials([$0]) })
    }

    /// Handles a failure. An expired session can mean that another process has refreshed the same credential.
    private func fail(_ failure: RefreshFailure, _ old: Token?, _ stale: StaleContents<Token>?) async -> Outcome {
        guard case .sessionExpired = failure else { return Outcome(result: .failure(failure), stale: stale) }
        if let other = await replacement(of: old, stale), case .success = other.result { return other }
        if let stale { return Outcome(result: .failure(failure), stale: stale.adding(old), isUnsaved: true) }
        let hasAnswered = (try? await store.save(nil, replacing: old)) != nil
        return Outcome(result: .failure(failure), stale: hasAnswered ? nil : old.map { .credentials([$0]) })
    }
}

/// The contents of a store that has rejected a change. They are not used again in this process.
enum StaleContents<Token: Credential>: Sendable {
    case credentials([Token])
    /// The contents are unknown: no credential from the store is used before the store accepts a change.
    case anything

    func include(_ stored: Token?) -> Bool {
        switch self {
        case .credentials(let tokens): tokens.contains { $0 == stored }
        case .anything: true
        }
    }

    /// The contents after another change that may be rejected.
    func adding(_ token: Token?) -> Self {
        guard let token else { return self }
        guard case .credentials(let tokens) = self, tokens.count < 16 else { return .anything }
        return tokens.contains(token) ? self : .credentials(tokens + [token])
    }
}

extension CredentialStore {
    /// Changes the store, and tries again if other code changes it at the same time.
    ///
    /// - Parameter isReplaceable: whether the change applies to the stored credential.
    /// - Returns: whether the store has the new value.
    func overwrite(with new: Value?, where isReplaceable: (Value?) -> Bool = { _ in true }) async throws -> Bool {
        for _ in 0..<10 {
            let stored = try await load()
            if stored == new { return true }
            guard isReplaceable(stored) else { return false }
            if try await save(new, replacing: stored) { return true }
        }
        return false
    }
}
