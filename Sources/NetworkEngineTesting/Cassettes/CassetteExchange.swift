import Foundation
import NetworkEngine
import NetworkEngineMocks
import NetworkEngineObservation

/// One exchange through a cassette: played if it was recorded, otherwise sent and recorded.
struct CassetteExchange {
    let cassette: Cassette

    /// - Parameters:
    ///   - played: Called when the exchange is played and nothing will be sent.
    ///   - failure: The transport failure to record for a thrown error; `nil` records nothing.
    ///   - send: Performs the real exchange.
    func run(
        _ request: HTTPRequest,
        played: () -> Void = {},
        failure: (any Error) -> TransportFailure? = { ($0 as? NetworkError)?.transportFailure },
        send: (HTTPRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let request = try await request.withBodyInMemory()
        let redacted = cassette.redacted(request)
        if let entry = try cassette.play(redacted) {
            played()
            return try play(entry.response, to: request)
        }
        try cassette.checkBody(request.body.data, of: "request", request.headers, request: request)
        let index = cassette.reserve(redacted)
        let start = cassette.options.now()
        do {
            let (response, body) = try await send(request).collectingBody()
            try cassette.checkBody(body, of: "response", response.headers, request: request)
            try cassette.record(redacted, HARResponse(response, body: body), start, response.metrics, at: index)
            return response
        } catch {
            if let failure = failure(error) {
                let reason = (error as? NetworkError)?.reason ?? ""
                try cassette.record(redacted, HARResponse(failure, reason: reason), start, nil, at: index)
            }
            throw error
        }
    }

    private func play(_ recorded: HARResponse, to request: HTTPRequest) throws -> HTTPResponse {
        guard let failure = recorded.failure else {
            var response = recorded.response(to: request)
            // The proof covers the nonce that the recorded client chose; the current client has chosen another one.
            for name in ["Authentication-Info", "Proxy-Authentication-Info"] { response.headers[name] = nil }
            return response
        }
        throw NetworkError(failure, reason: recorded.comment ?? "as recorded", request: request)
    }
}

extension HTTPResponse {
    /// Reads the body and returns its bytes with a response that still contains all of them.
    fileprivate func collectingBody() async throws -> (response: HTTPResponse, body: Data) {
        switch body {
        case .data(let data): return (self, data)
        case .file(let file): return (self, try Data(contentsOf: file))
        case .stream(let stream):
            var bytes = Data()
            for try await piece in stream { bytes += piece }
            var copy = self
            copy.body = .data(bytes)
            return (copy, bytes)
        }
    }
}
