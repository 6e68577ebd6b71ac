// Likely first spellings that do not exist, with messages that show the right one.

extension TokenRefresher {
    /// A credential is kept in a store.
    @available(
        *, unavailable,
        message: "Pass a store for the credential: 'TokenRefresher(store: store) { old, context in … }'."
    )
    @_alwaysEmitIntoClient
    public init(_ refresh: @escaping @Sendable () async throws -> Token) {
        self.init(store: InMemoryCredentialStore(nil)) { _, _ in try await refresh() }
    }

    /// A credential is kept in a store.
    @available(
        *, unavailable,
        message: "Pass a store for the credential: 'TokenRefresher(store: store) { old, context in … }'."
    )
    @_alwaysEmitIntoClient
    public init(_ refresh: @escaping @Sendable (_ credential: Token, _ context: RefreshContext) async throws -> Token) {
        self.init(store: InMemoryCredentialStore(nil)) { try await refresh($0, $1) }
    }
}
