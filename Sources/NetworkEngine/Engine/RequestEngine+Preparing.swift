import Foundation

extension RequestEngine {
    /// Opens a connection to the origin of a base, with a request that has nothing of the app in it.
    func prepare(at base: URL) async throws(NetworkError) {
        if let fault = base.addressFault { throw .invalid("the base is not valid: \(fault)") }
        guard let root = URL(string: base.origin.text + "/") else { throw .invalid("the base has no origin") }
        var bare = configuration
        (bare.parts, bare.headers, bare.redirects) = (ConfigurationParts(), [:], .never)
        (bare.validation, bare.attemptLimit) = (.none, 1)
        let engine = RequestEngine(interceptors: [], configuration: bare)
        _ = try await engine.value(
            of: HTTPRequest(method: .head, url: root), engine.options(), decoding: .response)
    }
}
