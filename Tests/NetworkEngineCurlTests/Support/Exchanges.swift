import NetworkEngineCurl
import Testing

/// Provides a new transport, and shuts it down afterwards.
func withTransport<Value>(
    requestsPerHost: Int = 6,
    _ change: (inout CurlConfiguration) -> Void = { _ in },
    _ body: (CurlTransport) async throws -> Value
) async throws -> Value {
    var configuration = CurlConfiguration()
    configuration.requestsPerHost = requestsPerHost
    // Under ThreadSanitizer, minutes may pass between two of a test's requests.
    configuration.idleLifetime = .seconds(600)
    change(&configuration)
    let transport = CurlTransport(configuration: configuration)
    defer { transport.shutdown() }
    return try await body(transport)
}

extension Trait where Self == ConditionTrait {
    /// Disables a suite where libcurl is not available.
    static var needsCurl: Self {
        .enabled(if: CurlTransport.isAvailable, "there is no libcurl here that can be used")
    }
}
