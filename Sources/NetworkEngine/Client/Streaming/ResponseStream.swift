public import Foundation

/// A response whose body is read while it comes.
///
/// ```swift
/// let stream = try await provider.stream(.log)
/// for try await chunk in stream { show(chunk) }
/// ```
/// The body can be read once. The loop or iterator owns the exchange: breaking out of the loop ends the exchange, even while
/// the stream is in scope, and so does cancelling its task. A second iterator throws `.invalidRequest`. Dropping a stream
/// that was never read ends the exchange too.
///
/// A slow reader slows the server down where the transport can do that. Where it cannot, bytes wait on disk up to
/// `TransferLimits.streamBacklog`. A failure after the head is thrown where the bytes end, and nothing is retried.
///
/// A stream counts among the requests to its host until its head is there. Open streams take no places from other requests,
/// and their number has no limit.
public struct ResponseStream: AsyncSequence, Sendable {
    public typealias Element = Data

    /// The response, with a body that is still coming.
    public let response: HTTPResponse

    /// How the call decodes; `nil` for a response that no call has brought.
    let decoding: StandardDecoding?

    package init(_ response: HTTPResponse, decoding: StandardDecoding? = nil) {
        self.response = response
        self.decoding = decoding
    }

    public var statusCode: Int { response.statusCode }
    public var headers: HTTPHeaders { response.headers }

    /// The length of the body, where the head says it.
    public var length: Int64? {
        switch response.body {
        case .data(let data): Int64(data.count)
        case .file: nil
        case .stream(let stream): stream.length
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(response) }

    /// Gives the chunks in their order.
    public struct Iterator: AsyncIteratorProtocol {
        private let request: HTTPRequest
        private var body: BodyStream.Iterator

        fileprivate init(_ response: HTTPResponse) {
            request = response.request
            body = response.bodyStream.makeAsyncIterator()
        }

        /// The next bytes, as soon as there are some; `nil` when all have come.
        @concurrent
        public mutating func next() async throws(NetworkError) -> Data? {
            do {
                return try await body.next()
            } catch {
                throw .transport(error, request: request)
            }
        }
    }
}

extension HTTPResponse {
    /// The body as a stream, whatever it is.
    fileprivate var bodyStream: BodyStream {
        switch body {
        case .stream(let stream): stream
        case .data(let data): .pieces(of: data)
        case .file(let url): .pieces(of: (try? Data(contentsOf: url, options: .mappedIfSafe)) ?? Data())
        }
    }
}

extension BodyStream {
    fileprivate static func pieces(of data: Data) -> BodyStream {
        BodyStream(length: Int64(data.count)) {
            AsyncThrowingStream { pieces in
                if !data.isEmpty { pieces.yield(data) }
                pieces.finish()
            }
        }
    }
}
