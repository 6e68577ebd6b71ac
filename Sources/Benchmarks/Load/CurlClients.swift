import CCurlLoad
import Foundation
import NetworkEngine
import NetworkEngineCurl

/// libcurl in C, on one thread.
struct CurlLoopClient: LoadClient {
    let name = "bare libcurl loop in C"
    let url: URL
    var authorities: URL?
    let decodes = false
    let speed = 10

    func rate(requests: Int, concurrency: Int) async throws -> Double {
        let address = url.appendingPathComponent("users").absoluteString
        let seconds = curl_load(address, Int32(requests), Int32(concurrency), authorities?.path, nil, nil)
        guard seconds > 0 else { throw LoadFailure() }
        return Double(requests) / seconds
    }
}

/// libcurl on one thread, as a Swift app would use it: Foundation decodes each body on that thread.
struct SwiftLoopClient: LoadClient {
    let name = "naive libcurl loop in Swift"
    let url: URL
    let decodes = true
    let speed = 6

    func rate(requests: Int, concurrency: Int) async throws -> Double {
        let address = url.appendingPathComponent("users").absoluteString
        let seconds = curl_load(
            address, Int32(requests), Int32(concurrency), nil,
            { _, bytes, count in
                guard let bytes,
                    (try? JSONDecoder().decode(UserList.self, from: Data(bytes: bytes, count: count))) != nil
                else { return 1 }
                return 0
            }, nil)
        guard seconds > 0 else { throw LoadFailure() }
        return Double(requests) / seconds
    }
}

/// `CurlTransport` without a provider.
struct CurlTransportClient: OneByOne {
    let name = "CurlTransport alone"
    let url: URL
    let decodes = false
    let speed = 8
    private let transport: CurlTransport

    init(url: URL, authorities: URL? = nil) {
        self.url = url.appendingPathComponent("users")
        transport = CurlTransport(configuration: .load(authorities))
    }

    func send() async throws { _ = try await transport.send(HTTPRequest(url: url), context: TransportContext()) }
}
