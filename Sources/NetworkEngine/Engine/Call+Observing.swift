extension CallOptions {
    /// Starts the call, if an observer accepts it.
    ///
    /// A call starts when its request is built. If that fails, it has no events.
    mutating func observe(_ request: HTTPRequest, by observers: ObserverList) {
        if let observedCall {
            observation = observedCall.observation { start(of: request) }
        } else {
            observation = observers.observation(of: id)
            observation?.begin(start(of: request))
        }
    }

    /// Starts the call, which ends with its task's outcome.
    mutating func observe(
        _ request: HTTPRequest, by observers: ObserverList, endingWith running: RunningCall<HTTPResponse>
    ) {
        guard let observation = observers.observation(of: id), running.ends(observation) else { return }
        observation.begin(start(of: request))
        self.observation = observation
    }

    private func start(of request: HTTPRequest) -> NetworkEvent.CallStart {
        NetworkEvent.CallStart(
            request: request,
            targetName: target?.observedName,
            template: target?.declaredTemplate,
            operationName: (target as? any OperationTarget)?.operationName,
            parent: TraceContext.current
        )
    }
}

extension Call {
    /// Ends a call with a waiting caller.
    func end(_ error: NetworkError?) {
        if options.observedCall == nil { options.observation?.end(error) }
    }
}

extension TargetType {
    /// The name of the type in the caller's code.
    fileprivate var observedName: String? {
        if self is any OperationTarget { return nil }
        let target: any TargetType = (self as? AnyTarget)?.target ?? self
        return target is AnyTarget ? nil : String(describing: type(of: target))
    }
}
