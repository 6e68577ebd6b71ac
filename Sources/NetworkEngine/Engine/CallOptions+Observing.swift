extension CallOptions {
    /// The options of a call that starts now, if an observer accepts it.
    ///
    /// A call starts when its request is built: one that fails before has no events.
    func observed(_ request: HTTPRequest, by observers: ObserverList) -> CallOptions {
        var options = self
        if let observedCall {
            options.observation = observedCall.observation { start(of: request) }
        } else {
            options.observation = observers.observation(of: RequestID())
            options.observation?.begin(start(of: request))
        }
        return options
    }

    /// The options of a call that starts now and ends with the outcome of its task.
    func observed(
        _ request: HTTPRequest, by observers: ObserverList, endingWith call: RunningCall<some Any>
    ) -> CallOptions {
        var options = self
        guard let observation = observers.observation(of: RequestID()), call.ends(observation) else { return self }
        observation.begin(start(of: request))
        options.observation = observation
        return options
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

extension TargetType {
    /// The name of the type that the caller wrote.
    fileprivate var observedName: String? {
        if self is any OperationTarget { return nil }
        let target: any TargetType = (self as? AnyTarget)?.target ?? self
        return target is AnyTarget ? nil : String(describing: type(of: target))
    }
}
