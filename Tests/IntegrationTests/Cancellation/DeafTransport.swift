import Foundation

@testable import NetworkEngine

/// A transport that answers only on command, and ignores cancellation.
struct DeafTransport: Transport {
    let gate = Gate()
    /// The exchanges that are currently running.
    let running = Tally()

    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        running.add()
        defer { running.add(-1) }
        await gate.passDeaf()
        return HTTPResponse(statusCode: 200, body: .data(Data(Scenario.ada.utf8)), request: request)
    }

    var target: ParityTarget { ParityTarget(baseURL: Self.url, wire: self) }

    func provider(_ interceptors: any RequestInterceptor...) -> NetworkProvider<ParityTarget> {
        var configuration = NetworkConfiguration()
        configuration.transport = self
        return NetworkProvider(interceptors: interceptors, configuration: configuration)
    }

    private static let url = URL(string: "http://deaf.test")!
}
