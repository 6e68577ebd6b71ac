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
        do {
            _ = try client.urlRequest(for: .get("/a/../b"))
        } catch {
            // Both come from conformances that are looked up at run time.
            let texts = [String(describing: error as any Error), (error as any Error).localizedDescription]
            guard texts[0].contains("..") && !texts[1].contains("NetworkEngine") else {
                throw Lost(descriptions: texts)
            }
        }
        print("all products link, for", client.baseURL)
    }
}

/// The program shows the error of the system instead of ours.
struct Lost: Error { let descriptions: [String] }
