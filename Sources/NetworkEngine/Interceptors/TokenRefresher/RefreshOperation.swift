/// Renews a credential and keeps the store right, whoever else uses it.
package struct RefreshOperation<Token: Credential>: Sendable {
    package typealias Refresh = @Sendable @concurrent (Token, RefreshContext) async throws -> Token

    package let store: any CredentialStore<Token>
    package let refresh: Refresh
    package let isSessionOver: @Sendable (any Error) -> Bool

    package init(
        store: any CredentialStore<Token>,
        refresh: @escaping Refresh,
        isSessionOver: @escaping @Sendable (any Error) -> Bool
    ) {
        self.store = store
        self.refresh = refresh
        self.isSessionOver = isSessionOver
    }

    /// The credential to use instead of one that is not valid any more.
    package func renew(_ old: Token, _ context: RefreshContext) async -> Result<Token, RefreshFailure> {
        do {
            return try await store.exclusively { await renewExclusively(old, context) }
        } catch {
            return .failure(.failed(error))
        }
    }

    private func renewExclusively(_ old: Token, _ context: RefreshContext) async -> Result<Token, RefreshFailure> {
        if let other = await replacement(of: old) { return other }
        do {
            return await save(try await refresh(old, context), replacing: old)
        } catch let failure as RefreshFailure {
            return await failed(failure, old)
        } catch {
            return await failed(isSessionOver(error) ? .sessionExpired : .failed(error), old)
        }
    }

    /// What another process has put into the place of a credential, if it has.
    private func replacement(of old: Token) async -> Result<Token, RefreshFailure>? {
        do {
            guard let stored = try await store.load() else { return .failure(.sessionExpired) }
            return stored == old ? nil : .success(stored)
        } catch {
            return .failure(.failed(error))
        }
    }

    private func save(_ new: Token, replacing old: Token) async -> Result<Token, RefreshFailure> {
        // A store that fails must not cost the user the session: the credential is good, and kept in memory.
        guard let isSaved = try? await store.save(new, replacing: old), !isSaved else { return .success(new) }
        return await replacement(of: old) ?? .success(new)
    }

    /// A credential that cannot be renewed any more may have been renewed by somebody else, with the same secret.
    private func failed(_ failure: RefreshFailure, _ old: Token) async -> Result<Token, RefreshFailure> {
        guard case .sessionExpired = failure else { return .failure(failure) }
        if let other = await replacement(of: old), case .success = other { return other }
        _ = try? await store.save(nil, replacing: old)
        return .failure(.sessionExpired)
    }
}
