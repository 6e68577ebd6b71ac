import Foundation
import NetworkEngine
import NetworkEngineCurl

/// A provider over one of the framework's transports.
struct ProviderClient: OneByOne {
    let name: String
    let decodes: Bool
    let speed: Int
    private let provider: NetworkProvider<Users>
    private let target: Users

    private struct Users: TargetType {
        let baseURL: URL
        let path = "/users"
        let method = HTTPMethod.get
        let task = NetworkTask.requestPlain
    }

    private init(
        _ name: String, _ transport: any Transport, url: URL, decodes: Bool, speed: Int,
        observers: [any NetworkObserver] = []
    ) {
        self.name = name
        self.decodes = decodes
        self.speed = speed
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        configuration.observers = observers
        provider = NetworkProvider(configuration: configuration)
        target = Users(baseURL: url)
    }

    static func overURLSession(url: URL, decodes: Bool, connections: Int = 64) -> Self {
        var options = URLSessionOptions()
        options.totalLimit = connections
        let transport = URLSessionTransport(configuration: .load(connections: connections), options: options)
        return Self("provider over URLSession", transport, url: url, decodes: decodes, speed: 1)
    }

    static func overCurl(url: URL, decodes: Bool, authorities: URL? = nil) -> Self {
        let transport = CurlTransport(configuration: .load(authorities))
        return Self("provider over CurlTransport", transport, url: url, decodes: decodes, speed: 8)
    }

    static func observed(url: URL, authorities: URL? = nil) -> Self {
        let transport = CurlTransport(configuration: .load(authorities))
        return Self("provider with an observer", transport, url: url, decodes: false, speed: 8, observers: [Idle()])
    }

    func send() async throws {
        guard decodes else { return _ = try await provider.send(target) }
        let _: UserList = try await provider.request(target)
    }
}

extension CurlConfiguration {
    /// The transport's configuration.
    ///
    /// - Parameter authorities: the file with the server's CA certificate.
    static func load(_ authorities: URL? = nil) -> CurlConfiguration {
        var configuration = CurlConfiguration()
        configuration.requestsPerHost = 256
        if let authorities { configuration.tls.authorities = .file(authorities) }
        return configuration
    }
}
