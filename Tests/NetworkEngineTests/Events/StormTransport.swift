import Foundation

@testable import NetworkEngine

/// A sequence of numbers that depends only on its seed.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state = state &+ 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// A transport with every fault, chosen by a seed.
final class StormTransport: Transport {
    private let numbers = Locked(SeededNumbers(seed: 7))

    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        let die = numbers.withLock { Int.random(in: 0..<100, using: &$0) }
        if die % 10 == 0 { context.queued() }
        context.admitted()
        if request.url.path == "/refresh" { return answer(die < 90 ? 200 : 500, request) }
        switch die {
        case 0..<58: return content(request, context, die)
        case 58..<66: return answer(503, request)
        case 66..<74: return answer(401, request)
        case 74..<82: return answer(302, request, headers: ["Location": "/elsewhere"])
        case 82..<88: throw NetworkError(kind: .connection, transportFailure: .lostBeforeResponse)
        case 88..<94: throw URLError(.networkConnectionLost)
        default:
            // No response until the timeout, the deadline or the caller ends the exchange.
            try await OneShot<Void>().wait()
            return answer(200, request)
        }
    }

    private func answer(_ status: Int, _ request: HTTPRequest, headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(statusCode: status, headers: headers, body: .data(Data("{}".utf8)), request: request)
    }

    private func content(_ request: HTTPRequest, _ context: TransportContext, _ die: Int) -> HTTPResponse {
        let isEvents = request.headers["Accept"] == "text/event-stream"
        let headers: HTTPHeaders = ["Content-Type": isEvents ? "text/event-stream" : "application/json"]
        var response = HTTPResponse(statusCode: 200, headers: headers, body: .data(Data("7".utf8)), request: request)
        guard context.streamsBody else { return response }
        let piece = Data((isEvents ? ": comment\n\ndata: 7\n\n" : "7").utf8)
        response.body = .stream(
            BodyStream(isReplayable: false) {
                AsyncThrowingStream { pieces in
                    for _ in 0..<die % 4 { pieces.yield(piece) }
                    pieces.finish(throwing: die % 3 == 0 ? URLError(.networkConnectionLost) : nil)
                }
            })
        return response
    }
}
