extension Array where Element == any RequestInterceptor {
    /// The interceptors that most apps need, in the right order.
    ///
    /// ```swift
    /// let provider = NetworkProvider<UserAPI>(interceptors: .recommended(credential: refresher))
    /// ```
    /// The list contains, in this order: an `OfflinePolicy`, a `RetryPolicy` and the credential. It never repeats a
    /// POST that may have reached the server. Adding an `IdempotencyKey` is up to the app, because the server has to
    /// support it. The article "The order of interceptors" explains why.
    ///
    /// - Parameters:
    ///   - credential: a `TokenRefresher`, a `TokenSource`, a `BasicAuth` or another interceptor that signs requests.
    ///   - offline: how requests behave without a network.
    ///   - reachability: reports whether there is a network. Tests can script it.
    public static func recommended(
        credential: (any RequestInterceptor)? = nil,
        offline: OfflineMode = .failFast,
        retry: RetryPolicy = RetryPolicy(),
        reachability: Reachability = .system
    ) -> [any RequestInterceptor] {
        [OfflinePolicy(offline, reachability: reachability), retry] + (credential.map { [$0] } ?? [])
    }

    /// Throws an error of kind `.unsupported` if interceptors do not work together or in this order.
    ///
    /// ```swift
    /// let interceptors: [any RequestInterceptor] = [RetryPolicy(), CircuitBreaker()]
    /// try interceptors.validate()
    /// ```
    /// The error's `reason` describes each problem and its solution.
    public func validate() throws(NetworkError) {
        var faults: [String] = []
        for index in indices {
            guard let type = type(of: self[index]) as? any ComposedInterceptor.Type else { continue }
            for fault in type.compositionRules.compactMap({ fault($0, of: type, at: index) })
            where !faults.contains(fault) { faults.append(fault) }
        }
        for fault in credentialFaults where !faults.contains(fault) { faults.append(fault) }
        guard !faults.isEmpty else { return }
        throw NetworkError(kind: .unsupported, reason: faults.joined(separator: "; "))
    }

    /// The highest attempt limit among the interceptors; 0 if none has a limit.
    var attemptLimit: Int {
        lazy.flatMap { ($0 as? any InterceptorGroup)?.parts.interceptors ?? [$0] }
            .compactMap { ($0 as? any RepeatingInterceptor)?.limit }.max() ?? 0
    }

    /// Returns a message if the list breaks a rule; otherwise `nil`.
    private func fault(_ rule: CompositionRule, of type: any RequestInterceptor.Type, at index: Int) -> String? {
        switch rule {
        case .unique:
            guard prefix(index).contains(kind: type) else { return nil }
            return "the list contains \(type.kindName) more than once; keep one of them"
        case .excludes(let other, let reason):
            guard contains(kind: other) else { return nil }
            return "\(type.kindName) and \(other.kindName) are in one list: \(reason)"
        case .follows(let other, let reason):
            guard dropFirst(index + 1).contains(kind: other) else { return nil }
            return "\(type.kindName) precedes \(other.kindName): \(reason); move it behind"
        }
    }

    /// Credentials that cannot be sent, and credentials that set the same header or query item for the same origin.
    private var credentialFaults: [String] {
        let credentials: [(owner: String, value: any CredentialInterceptor)] = flatMap { interceptor in
            let parts = (interceptor as? any InterceptorGroup)?.parts.interceptors ?? [interceptor]
            let owner = type(of: interceptor).kindName
            return parts.compactMap { part in (part as? any CredentialInterceptor).map { (owner, $0) } }
        }
        return credentials.indices.flatMap { index in
            let (owner, credential) = credentials[index]
            let conflicts = credentials[..<index].filter { $0.value.conflicts(with: credential) }.map { other in
                let kinds = "\(other.owner) and \(owner)"
                let place = credential.credentialPlace ?? "a credential"
                return "\(kinds) set \(place) for the same origin; keep one of them"
            }
            return [credential.credentialFault].compactMap(\.self) + conflicts
        }
    }

    /// Returns this list with others appended. An interceptor of a unique kind replaces the existing one.
    func containing(_ others: [any RequestInterceptor]) -> [any RequestInterceptor] {
        others.reduce(into: self) { list, other in
            let type = type(of: other)
            if type.isUnique, let index = list.firstIndex(where: { Swift.type(of: $0).kind == type.kind }) {
                list[index] = other
            } else {
                list.append(other)
            }
        }
    }
}

extension Sequence where Element == any RequestInterceptor {
    fileprivate func contains(kind: any RequestInterceptor.Type) -> Bool {
        contains { type(of: $0).kind == kind.kind }
    }
}

extension RequestInterceptor {
    /// The type with its module, without generic arguments.
    fileprivate static var kind: String { String(reflecting: self).prefix { $0 != "<" }.description }

    fileprivate static var kindName: String { String(describing: self).prefix { $0 != "<" }.description }

    fileprivate static var isUnique: Bool {
        let rules = (self as? any ComposedInterceptor.Type)?.compositionRules ?? []
        return rules.contains { if case .unique = $0 { true } else { false } }
    }
}
