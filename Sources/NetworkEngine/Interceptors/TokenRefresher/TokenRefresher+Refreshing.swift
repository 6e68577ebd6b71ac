// MARK: Waiting for a credential

extension TokenRefresher {
    typealias Refresh = RefreshStateMachine<Token>.Refresh

    /// Returns a valid credential for a request, with the user that it identifies. Waits for one if necessary.
    func preparedAccess(
        _ context: RequestContext,
        in session: Int,
        isUnrepeatable: Bool
    ) async throws(AccessFailure) -> PreparedCredential {
        let (token, version) = try await access(context, in: session, isUnrepeatable: isUnrepeatable)
        // Nothing may come between: a sign-in would make this the next user's credential.
        guard machine.session == session else { throw .sessionOver }
        return PreparedCredential(token, version, since: start)
    }

    /// Returns the credential that determines which cached responses a request can use, even if a refresh is due.
    func credentialAtHand(
        _ context: RequestContext, in session: Int
    ) async throws(AccessFailure) -> PreparedCredential {
        if machine.token == nil { try await load(context) }
        guard machine.session == session else { throw .sessionOver }
        guard let token = machine.token else { throw .refused(.signedOut) }
        return PreparedCredential(token, machine.version, since: start)
    }

    private func access(
        _ context: RequestContext,
        in session: Int,
        isUnrepeatable: Bool
    ) async throws(AccessFailure) -> (Token, Int) {
        var hasLoaded = false
        while true {
            guard machine.session == session else { throw .sessionOver }
            let now = timebase.now
            switch machine.access(at: now, isUnrepeatable: isUnrepeatable, hasLoaded: hasLoaded) {
            case .use(let token, let version): return (token, version)
            case .useAndRefresh(let token, let version, let refresh):
                start(refresh, context)
                return (token, version)
            case .wait(let refresh):
                if let old = try await wait(for: refresh, context, isJoined: true, isUnrepeatable) { return old }
            case .refresh(let refresh):
                start(refresh, context)
                if let old = try await wait(for: refresh, context, isJoined: false, isUnrepeatable) { return old }
            case .fail(let failure): throw .refused(failure)
            case .unknown:
                try await load(context)
                hasLoaded = true
            }
        }
    }

    /// Waits until the credential of this version has been refreshed in the same session.
    func refresh(_ version: Int, in session: Int, _ context: RequestContext) async throws(AccessFailure) {
        while true {
            guard machine.session == session else { throw .sessionOver }
            let now = timebase.now
            switch machine.rejected(version, at: now) {
            case .replay: return
            case .wait(let refresh): try await wait(for: refresh, context, isJoined: true)
            case .refresh(let refresh):
                start(refresh, context)
                try await wait(for: refresh, context, isJoined: false)
            case .fail(let failure): throw .refused(failure)
            }
        }
    }

    /// Waits until a refresh succeeds.
    ///
    /// - Returns: the old credential, if the refresh fails and the request only refreshed early as a precaution.
    private func wait(
        for refresh: Refresh,
        _ context: RequestContext,
        isJoined: Bool,
        _ isUnrepeatable: Bool
    ) async throws(AccessFailure) -> (Token, Int)? {
        do throws(AccessFailure) {
            try await wait(for: refresh, context, isJoined: isJoined)
            return nil
        } catch {
            let now = timebase.now
            guard isUnrepeatable, case .refused = error, let old = machine.validToken(at: now) else {
                throw error
            }
            return old
        }
    }

    /// - Parameter isJoined: whether another call started the refresh.
    private func wait(
        for refresh: Refresh,
        _ context: RequestContext,
        isJoined: Bool
    ) async throws(AccessFailure) {
        guard let result = result(of: refresh) else { return }
        let observation = context.call.options.observation
        let wait = NetworkEvent.Refresh(isJoined: isJoined)
        observation?.beginRefresh(wait)
        do throws(AccessFailure) {
            if case .failure(let failure) = try await value(of: result, context) { throw .refused(failure) }
            observation?.endRefresh(wait, .succeeded)
        } catch {
            if case .refused = error {
                observation?.endRefresh(wait, .failed)
            } else {
                observation?.endRefresh(wait, .cancelled)
            }
            throw error
        }
    }

    /// Waits for a value until the call's deadline.
    func value<Value>(of result: OneShot<Value>, _ context: RequestContext) async throws(AccessFailure) -> Value {
        let value: Value?
        do {
            value = try await context.value(of: result)
        } catch {
            throw .cancelled
        }
        guard let value else { throw .deadlinePassed }
        return value
    }
}

// MARK: Running a refresh

extension TokenRefresher {
    /// A refresh that calls can wait for.
    struct RunningRefresh {
        let task: Task<Void, Never>
        /// The result for the calls that are waiting now: settled at the end of the refresh or at its timeout.
        var result = OneShot<Result<Void, RefreshFailure>>()
        /// The timeout, until it has passed.
        var timer: Task<Void, Never>?
    }

    /// A refresh with a closure that is still running. Another refresh of the same credential waits for it.
    struct UnfinishedRefresh {
        let refresh: Refresh
        let task: Task<Void, Never>
        /// The timeout of a refresh that no call waits for anymore.
        var timer: Task<Void, Never>?
    }

    /// Starts a refresh in tasks that no call owns.
    ///
    /// The tasks inherit the task-local values of the first call that needs the refresh, because an app can use one to
    /// select its server.
    private func start(_ refresh: Refresh, _ context: RequestContext) {
        let context = RefreshContext(executor: context.call.options.refreshExecutor)
        // A refresh from an ended session may still be unfinished.
        let previous = unfinished.last { $0.refresh.token == refresh.token }?.task
        let task = Task { @concurrent [self, operation, storing] in
            await previous?.value
            // The store contains a new sign-in only after it has been saved.
            _ = await storing?.result
            let stale = await self.staleContents(for: refresh)
            let outcome = await RefreshScope.run(for: self, isRefresh: true) {
                await operation.run(refresh.token, stale: stale, context)
            }
            await finish(refresh, outcome)
        }
        unfinished.append(UnfinishedRefresh(refresh: refresh, task: task))
        running[refresh.id] = RunningRefresh(task: task)
        startTimer(of: refresh)
    }

    /// Returns a refresh's result. The timeout restarts for calls that wait for an overdue refresh.
    private func result(of refresh: Refresh) -> OneShot<Result<Void, RefreshFailure>>? {
        guard let entry = running[refresh.id] else { return nil }
        if entry.timer == nil { startTimer(of: refresh) }
        return entry.result
    }

    private func startTimer(of refresh: Refresh) {
        guard let task = running[refresh.id]?.task else { return }
        running[refresh.id]?.timer = Task { @concurrent [self, timebase, timeout = options.timeout] in
            guard (try? await timebase.sleep(for: timeout)) != nil else { return }
            task.cancel()
            await timeOut(refresh)
        }
    }

    /// Fails the calls that wait for a refresh. The refresh itself continues until its closure returns.
    private func timeOut(_ refresh: Refresh) {
        guard let waiters = running[refresh.id]?.result else { return }
        machine.timedOut(refresh)
        running[refresh.id]?.result = OneShot()
        running[refresh.id]?.timer = nil
        waiters.settle(.failure(.timedOut))
    }

    /// The store contents that a refresh must ignore. A refresh that was abandoned by a sign-in or sign-out only
    /// changes a credential that is still the same in the store.
    private func staleContents(for refresh: Refresh) -> StaleContents<Token>? {
        running[refresh.id] == nil ? nil : stale
    }

    /// Remembers what the store contains, and stores a result that is not stored yet.
    ///
    /// Store changes are ordered, so that a later sign-in or sign-out comes after this one.
    private func note(_ end: RefreshOperation<Token>.Outcome, of refresh: Refresh) {
        stale = end.stale
        guard end.isUnsaved, let stale = end.stale else { return }
        let new = try? end.result.get()
        _ = enqueue { try await $0.overwrite(with: new) { $0 == refresh.token || stale.include($0) } }
    }

    /// Removes a credential obtained for an ended session: an empty store does not prevent an operation from saving it.
    private func discard(_ result: Result<Token, RefreshFailure>, of refresh: Refresh) {
        guard operation.obtains, let unused = try? result.get(), unused != machine.token else { return }
        _ = enqueue { try await $0.save(nil, replacing: unused) }
    }

    private func finish(_ refresh: Refresh, _ end: RefreshOperation<Token>.Outcome) async {
        let result = end.result
        for ended in unfinished where ended.refresh == refresh { ended.timer?.cancel() }
        unfinished.removeAll { $0.refresh == refresh }
        let life = (try? result.get()).flatMap(life(of:))
        let (now, spread) = (timebase.now, options.random())
        let hadToken = machine.token != nil
        if end.isOfOthers, running[refresh.id] != nil, let token = try? result.get() {
            start = SessionStart(token: token)
        }
        let outcome = machine.ended(refresh, result, life: life, at: now, spread: spread)
        let entry = running.removeValue(forKey: refresh.id)
        if entry != nil { note(end, of: refresh) } else { discard(result, of: refresh) }
        entry?.result.settle(outcome)
        entry?.timer?.cancel()
        let isSessionOver = hadToken && machine.token == nil
        // The closures' calls are not part of the attempt that started the refresh.
        await RetryScope.$isInside.withValue(false) {
            if case .failure(let failure) = result { await onFailure?(failure) }
            if isSessionOver { await onSessionExpired?() }
        }
    }
}
