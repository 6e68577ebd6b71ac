extension RequestEngine: RefreshExecutor {
    package func refreshResponse(to request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        try request.validate()
        return try await value(of: request, .refreshing(), decoding: .response)
    }

    package func refreshValue<Value: Decodable & Sendable>(
        of target: any TargetType,
        as type: Value.Type
    ) async throws(NetworkError) -> Value {
        var options = CallOptions.refreshing(target)
        let request = try options.request(for: target, .request, by: builder)
        return try await value(of: request, options, decoding: .json)
    }
}

extension CallOptions {
    fileprivate static func refreshing(_ target: (any TargetType)? = nil) -> CallOptions {
        var options = CallOptions(target: target)
        options.isRefresh = true
        return options
    }
}
