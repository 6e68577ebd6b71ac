extension RequestEngine: RefreshExecutor {
    package func refreshResponse(to request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        try request.validate()
        return try await value(of: request, options(isRefresh: true), decoding: .response)
    }

    package func refreshValue<Value: Decodable & Sendable>(
        of target: any TargetType,
        as type: Value.Type
    ) async throws(NetworkError) -> Value {
        var options = options(for: target, isRefresh: true)
        let base = try builder.rules.base(of: target)
        options.base = base
        let request = try builder.request(for: target, below: base, use: .request)
        return try await value(of: request, options, decoding: .json)
    }
}
