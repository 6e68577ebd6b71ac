import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The peer in a storm: answers, or holds a call at the point of its cancellation.
struct StormWire: TransportDriver {
    enum Sort: CaseIterable {
        case mock, deaf, sockets, curl

        /// The wires available on this machine.
        static var allCases: [Self] {
            CurlTransport.isAvailable ? [.mock, .deaf, .sockets, .curl] : [.mock, .deaf, .sockets]
        }
    }

    let url: URL
    /// The exchanges that are currently running.
    let running = Tally()
    private let table: StormTable
    private let inner: any Transport
    private let driver: any TransportDriver
    var identity: ObjectIdentifier? { nil }
    private let server: LoopbackServer?
    private let gate: Gate

    init(_ sort: Sort, _ table: StormTable) throws {
        let gate = Gate()
        self.gate = gate
        self.table = table
        switch sort {
        case .mock: inner = MockTransport(Self.script(table).repeating())
        case .deaf: inner = Deaf(table: table, gate: gate)
        case .sockets: inner = URLSessionTransport(configuration: .ephemeral)
        case .curl: inner = CurlTransport()
        }
        driver = inner as? any TransportDriver ?? TransportAdapter(inner)
        server = sort == .sockets || sort == .curl ? try LoopbackServer { Self.serve($0, table) } : nil
        url = try server?.url ?? #require(URL(string: "http://storm.test"))
    }

    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        running.add()
        defer { running.add(-1) }
        table.call(of: request.headers)?.reached(.queue)
        return try await driver.send(request, context: context)
    }

    /// Releases everything that ignores cancellation, and shuts down. Returns when no exchange is running and no
    /// connection is in use.
    func close() async throws {
        gate.open()
        await running.wait { $0 == 0 }
        try await server?.wait { $0.openConnections <= 8 }
        (inner as? URLSessionTransport)?.shutdown()
        (inner as? CurlTransport)?.shutdown()
        server?.stop()
    }

    private struct Deaf: Transport {
        let table: StormTable
        let gate: Gate

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            let call = table.call(of: request.headers)
            for phase in [StormCall.Phase.connect, .head, .body] { call?.reached(phase) }
            if let call, call.phase != .never, call.phase != .decode { await gate.passDeaf() }
            let document = Data(StormTable.document(for: request.headers).utf8)
            return HTTPResponse(statusCode: 200, body: .data(document), request: request)
        }
    }

    private static func script(_ table: StormTable) -> MockAnswer {
        .handler { request in
            let call = table.call(of: request.headers)
            for phase in [StormCall.Phase.connect, .head, .body] { call?.reached(phase) }
            return call?.isHeld == true ? .hang : .json(StormTable.document(for: request.headers))
        }
    }

    private static func serve(_ request: LoopbackRequest, _ table: StormTable) -> LoopbackResponse {
        let response = LoopbackResponse.json(StormTable.document(for: request.headers))
        guard let call = table.call(of: request.headers) else { return response }
        call.reached(.connect)
        switch call.phase {
        case .head: return response.held(by: call.barrier(.head), at: .responseHead(afterBytes: 9))
        case .body: return response.held(by: call.barrier(.body), at: .responseBody(afterBytes: 3))
        default: return response.dripped(bytes: 7)
        }
    }
}

extension StormCall {
    /// Holds the exchange until it's canceled, and reports its arrival.
    fileprivate func barrier(_ phase: Phase) -> LoopbackBarrier {
        let barrier = LoopbackBarrier()
        Task.detached { [self] in
            try? await barrier.arrivals(atLeast: 1)
            reached(phase)
        }
        return barrier
    }
}
