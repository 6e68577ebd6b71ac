/// Refreshes a credential and updates the store, also if other processes use the store.
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

    /// Returns the credential that replaces an invalid one.
    package func run(_ old: Token, _ context: RefreshContext) async -> Result<Token, RefreshFailure> {
        do {
            return try await store.exclusively { await runExclusively(old, context) }
        } catch {
            return .failure(.failed(error))
        }
    }

    private func runExclusively(_ old: Token, _ context: RefreshContext) async -> Result<Token, RefreshFailure> {
        if let other = await replacement(of: old) { return other }
        do {
            return await save(try await refresh(old, context), replacing: old)
        } catch let failure as RefreshFailure {
            return await fail(failure, old)
        } catch {
            return await fail(isSessionOver(error) ? .sessionExpired : .failed(error), old)
        }
    }

    /// Returns the credential that another process has stored; `nil` if the store is unchanged.
    private func replacement(of old: Token) async -> Result<Token, RefreshFailure>? {
        do {
            guard let stored = try await store.load() else { return .failure(.sessionExpired) }
            return stored == old ? nil : .success(stored)
        } catch {
            return .failure(.failed(error))
        }
    }

    private func save(_ new: Token, replacing old: Token) async -> Result<Token, RefreshFailure> {
        // A failing store must not end the session: the credential is valid and stays in memory.
        guard let isSaved = try? await store.save(new, replacing: old), !isSaved else { return .success(new) }
        return await replacement(of: old) ?? .success(new)
    }

    /// Handles a failure. An expired session can mean that another process has refreshed the same credential.
    private func fail(_ failure: RefreshFailure, _ old: Token) async -> Result<Token, RefreshFailure> {
        guard case .sessionExpired = failure else { return .failure(failure) }
        if let other = await replacement(of: old), case .success = other { return other }
        _ = try? await store.save(nil, replacing: old)
        return .failure(.sessionExpired)
    }
}
