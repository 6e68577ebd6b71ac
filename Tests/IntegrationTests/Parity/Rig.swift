import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A provider for a scenario, over sockets or with a script.
struct Rig {
    enum Wire: CaseIterable {
        case urlSession, curl, mock

        /// The rigs available on this machine.
        static var allCases: [Self] { CurlTransport.isAvailable ? [.urlSession, .curl, .mock] : [.urlSession, .mock] }
    }

    let provider: NetworkProvider<ParityTarget>
    let target: ParityTarget
    /// The number of requests that the peer has received.
    let arrivals = Tally()
    private let server: LoopbackServer?
    private let closedPort = ClosedPort()

    /// Shared by all, as in an app (`Linux.md`, Sessions).
    static let session = URLSessionTransport(configuration: .ephemeral)
    static let curl = CurlTransport()

    init(_ answer: Scenario.Answer, _ method: HTTPMethod = .get, over wire: Wire) throws {
        let transport: any Transport
        switch wire {
        case .mock:
            server = nil
            transport = MockTransport(Self.script(answer, arrivals).repeating())
        case .urlSession:
            server = try Self.serve(answer, arrivals)
            transport = Self.session
        case .curl:
            server = try Self.serve(answer, arrivals)
            transport = Self.curl
        }
        var url = server?.url ?? URL(string: "http://mock.test")
        if case .refusal = answer { url = closedPort.url }
        target = ParityTarget(baseURL: try #require(url), method: method, wire: transport)
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        provider = NetworkProvider(configuration: configuration)
    }

    private static func serve(_ answer: Scenario.Answer, _ arrivals: Tally) throws -> LoopbackServer {
        try LoopbackServer { _ in
            arrivals.add()
            return switch answer {
            case .http(let status, let body, let headers):
                LoopbackResponse(status: status, headers: headers, body: .data(Data(body.utf8)))
            case .garbage: .raw("SSH-2.0-OpenSSH_9.2\r\n")
            case .refusal: .fault(.reset)
            case .silence: .fault(.stall)
            }
        }
    }

    private static func script(_ answer: Scenario.Answer, _ arrivals: Tally) -> MockAnswer {
        .handler { _ in
            arrivals.add()
            return switch answer {
            case .http(let status, let body, let headers): .status(status, headers: headers, body: body)
            case .garbage: .failure(.protocolViolation)
            case .refusal: .failure(.connect)
            case .silence: .hang
            }
        }
    }
}
