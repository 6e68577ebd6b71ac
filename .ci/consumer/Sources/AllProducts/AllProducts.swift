import Foundation
import NetworkEngineAll

/// A service that imports all products.
@main struct AllProducts {
    static func main() throws {
        var configuration = NetworkConfiguration()
        #if os(Linux)
        guard CurlTransport.isAvailable else { throw CocoaError(.featureUnsupported) }
        configuration.transport = CurlTransport()
        #endif
        let address = URL(string: "http://localhost")
        guard let address else { throw CocoaError(.coderInvalidValue) }
        let client = HTTPClient(
            baseURL: address, interceptors: .recommended(), configuration: configuration)
        print("all products link, for", client.baseURL)
    }
}
