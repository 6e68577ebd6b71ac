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

    /// Stores what must be stored, after what was to be stored before it, and whoever else is storing.
    private func store(_ token: Token?) async throws {
        let work = Task.detached { [store = renewal.store, before = storing] in
            _ = await before?.result
            for _ in 0..<10 {
                let stored = try await store.load()
                if stored == token { return }
                if try await store.save(token, replacing: stored) { return }
            }
        }
        storing = work
        try await work.value
    }

    private func abandonFlights(_ result: Result<Void, RefreshFailure>) {
        let abandoned = flights
        flights = [:]
        for flight in abandoned.values { flight.result.settle(result) }
    }
}
