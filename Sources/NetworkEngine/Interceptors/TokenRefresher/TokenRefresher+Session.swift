extension TokenRefresher {
    /// Uses another credential from here on, and stores it.
    ///
    /// Whoever was rejected with the one before is sent again with this one.
    public func signIn(_ token: Token) async throws {
        machine.replace(by: token, life: life(of: token), at: timebase.now, spread: options.random())
        abandonFlights(.success(()))
        try await store(token)
    }

    /// Forgets the credential, here and in the store. A renewal that is going on is dropped, whatever it brings.
    ///
    /// Does not call `onSessionExpired`.
    public func signOut() async throws {
        machine.forget()
        abandonFlights(.failure(.signedOut))
        try await store(nil)
    }

    /// Stores what must be stored, whoever else is storing.
    private func store(_ token: Token?) async throws {
        for _ in 0..<10 {
            let stored = try await renewal.store.load()
            if stored == token { return }
            if try await renewal.store.save(token, replacing: stored) { return }
        }
    }

    private func abandonFlights(_ result: Result<Void, RefreshFailure>) {
        let abandoned = flights
        flights = [:]
        for flight in abandoned.values { flight.result.settle(result) }
    }
}
