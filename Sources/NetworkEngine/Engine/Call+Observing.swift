extension CallOptions {
    /// The call starts now, if an observer accepts it.
    ///
    /// A call starts when its request is built: one that fails before has no events.
    mutating func observe(_ request: HTTPRequest, by observers: ObserverList) {
        if let observedCall {
            observation = observedCall.observation { start(of: request) }
        } else {
            observation = observers.observation(of: id)
            observation?.begin(start(of: request))
        }
    }

    /// The call starts now, and ends with the outcome of its task.
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
    /// The call of a caller that waits for it has ended.
    func end(_ error: NetworkError?) {
        if options.observedCall == nil { options.observation?.end(error) }
    }
}

extension TargetType {
    /// The name of the type that the caller wrote.
    fileprivate var observedName: String? {
        if self is any OperationTarget { return nil }
        let target: any TargetType = (self as? AnyTarget)?.target ?? self
        return target is AnyTarget ? nil : String(describing: type(of: target))
    }
}
