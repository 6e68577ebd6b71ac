package import Foundation
package import NetworkEngine

extension HTTPClient {
    /// Creates a client over a mock transport and changes its configuration.
    package init(
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor] = [],
        base: URL = API.base,
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        change(&configuration)
        self.init(baseURL: base, interceptors: interceptors, configuration: configuration)
    }
}
