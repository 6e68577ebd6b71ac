import Foundation
import NetworkEngine

extension MockAnswer {
    func respond(
        to request: HTTPRequest,
        call: MockCall,
        context: TransportContext,
        clock: any Clock<Duration>
    ) async throws -> HTTPResponse {
        if mayWait { context.admitted() }
        try await clock.pause(for: delay)
        var response = try await content.response(to: request, call: call, context: context, clock: clock)
        for field in addedHeaders { response.headers.add(field.value, for: field.name) }
        if let trailers { response.trailers = trailers }
        return response
    }

    /// Whether the answer may take time, which the exchange's timeout limits.
    private var mayWait: Bool {
        switch content {
        case .hang, .computed: true
        case .response, .failure, .transportFailure, .exchange: delay > .zero
        }
    }
}

extension MockAnswer.Content {
    fileprivate func response(
        to request: HTTPRequest,
        call: MockCall,
        context: TransportContext,
        clock: any Clock<Duration>
    ) async throws -> HTTPResponse {
        switch self {
        case .response(let status, let headers, let body):
            // HTTP does not allow a body here, whatever the answer contains.
            let isBodiless = request.method == .head || status == 204 || status == 304
            let body = try context.deliver(isBodiless ? Data() : body, of: call.request)
            return HTTPResponse(statusCode: status, headers: headers, body: body, request: request)
        case .failure(let error as NetworkError): throw error.completed(request: request)
        case .failure(let error): throw error
        case .transportFailure(let failure, let reason): throw NetworkError(failure, reason: reason, request: request)
        // A stream that can be read only once was read to match the rules.
        case .exchange(let answer): return try await answer(call.request, context)
        case .hang: throw await untilCancelled()
        case .computed(let answer):
            return try await answer(call).respond(to: request, call: call, context: context, clock: clock)
        }
    }
}
