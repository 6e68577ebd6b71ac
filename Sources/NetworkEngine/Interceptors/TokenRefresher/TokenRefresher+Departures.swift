extension TokenRefresher {
    package nonisolated func refusal(of request: HTTPRequest, _ storage: CallStorage) -> NetworkError? {
        guard let call = callCredential(in: storage), call.version != nil,
            snapshot.withLock({ $0.session != call.session })
        else { return nil }
        return .authentication(.signedOut, request: request, response: nil)
    }

    package nonisolated func departureBegins(_ request: HTTPRequest, _ storage: CallStorage) -> NetworkError? {
        guard let call = callCredential(in: storage) else { return nil }
        let now = timebase.now
        let mayLeave = snapshot.withLock { snapshot in
            // A request without the credential belongs to no user.
            guard call.version == nil || snapshot.session == call.session else { return false }
            snapshot.leaving.begin(in: call.session, at: now)
            return true
        }
        return mayLeave ? nil : .authentication(.signedOut, request: request, response: nil)
    }

    package nonisolated func departureEnded(_ storage: CallStorage) {
        guard let session = callCredential(in: storage)?.session else { return }
        let waiters = snapshot.withLock { $0.leaving.end(in: session) }
        for waiter in waiters { waiter.settle(()) }
    }

    /// Waits until the server has received the outgoing requests of a session and all earlier sessions.
    ///
    /// A request counts as sent when its response starts or some time has passed, because URLSession does not report
    /// when it writes a request.
    func untilLeft(_ session: Int) async {
        for (left, last) in snapshot.withLock({ $0.leaving.wait(through: session) }) {
            let timer = Task { @concurrent [timebase, end = last + options.departureLimit] in
                try? await timebase.sleep(until: end)
                left.settle(())
            }
            // A canceled task also waits.
            await Task { @concurrent in try? await left.wait() }.value
            timer.cancel()
        }
    }
}
