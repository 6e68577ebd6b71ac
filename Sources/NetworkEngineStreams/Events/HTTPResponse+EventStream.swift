import Foundation
import NetworkEngine

extension HTTPResponse {
    /// Checks that a response is an event stream. For any other response, the error includes the body, which may
    /// explain why.
    ///
    /// - Parameters:
    ///   - statuses: the valid statuses for a response with events.
    ///   - stream: the response body.
    ///   - limit: the maximum number of body bytes to read for the error.
    @concurrent
    func validateEventStream(
        statuses: ClosedRange<Int>,
        of stream: ResponseStream,
        limit: Int
    ) async throws(NetworkError) {
        if statuses.contains(statusCode), isEventStream { return }
        let response = isJSON ? try await withBody(of: stream, limit) : self
        throw response.noEventStream(statuses: statuses)
    }

    /// The error for a response that is not an event stream.
    func noEventStream(statuses: ClosedRange<Int>) -> NetworkError {
        let status = statuses.count == 1 ? "status \(statuses.lowerBound)" : "a successful status"
        let type = mediaType ?? "none"
        let reason = "an event stream needs \(status) and type text/event-stream, not \(statusCode) and \(type)"
        return NetworkError(kind: .invalidResponse, reason: reason, response: self)
    }

    /// Whether the content type is `text/event-stream`.
    var isEventStream: Bool { mediaType == "text/event-stream" }

    /// Whether the content type is JSON.
    var isJSON: Bool { mediaType.map { $0 == "application/json" || $0.hasSuffix("+json") } ?? false }

    private var mediaType: String? {
        headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    /// The response with its body. A body without a length may be endless.
    @concurrent
    private func withBody(of stream: ResponseStream, _ limit: Int) async throws(NetworkError) -> HTTPResponse {
        guard let length = stream.length, length <= limit else { return self }
        var (response, body) = (self, Data())
        var chunks = stream.makeAsyncIterator()
        do throws(NetworkError) {
            while let chunk = try await chunks.next() { body += chunk }
            response.body = .data(body)
        } catch {
            if error.kind == .cancelled { throw error }
        }
        return response
    }
}

extension NetworkError {
    static func event(largerThan limit: Int, from response: HTTPResponse?) -> NetworkError {
        let reason = "an event of the stream is larger than \(limit) bytes"
        return NetworkError(kind: .limit, reason: reason, request: response?.request)
    }
}
