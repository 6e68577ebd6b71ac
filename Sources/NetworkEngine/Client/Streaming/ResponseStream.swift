public import Foundation

/// A response with a body that you read while it arrives.
///
/// ```swift
/// let stream = try await provider.stream(.log)
/// for try await chunk in stream { show(chunk) }
/// ```
/// The body can be read once; a second iterator throws `.invalidRequest`. The iterator owns the request: breaking out
/// of the loop cancels it, even while the stream is in scope. So does canceling the reading task, or releasing a stream
/// that was never read.
///
/// If the transport supports back-pressure, a slow reader slows down the server. Otherwise unread bytes are buffered on
/// disk, up to `TransferLimits.streamBacklog`. A failure after the head is thrown after the last byte and is not
/// retried.
///
/// A stream counts as a request to its host until its head arrives. Open streams do not use other requests' permits,
/// and their number is unlimited.
public struct ResponseStream: AsyncSequence, Sendable {
    /// The response. Its body is still arriving.
    public let response: HTTPResponse

    /// The call's decoder; `nil` for a response without a call.
    package let decoder: BodyDecoder?

    package init(_ response: HTTPResponse, decoder: BodyDecoder? = nil) {
        self.response = response.withTrailersAtEnd
        self.decoder = decoder
    }

    /// The response status.
    public var statusCode: Int { response.statusCode }
    /// The response's header fields.
    public var headers: HTTPHeaders { response.headers }

    /// The trailers, once the last byte was read; `nil` before that, if there are none, and over `URLSession`.
    public var trailers: HTTPHeaders? { response.trailers }

    /// The length of the body, if the head specifies it.
    public var length: Int64? {
        switch response.body {
        case .data(let data): Int64(data.count)
        case .file: nil
        case .stream(let stream): stream.length
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(response) }

    /// Reads the body chunk by chunk.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let request: HTTPRequest
        private var body: BodyStream.Iterator

        fileprivate init(_ response: HTTPResponse) {
            request = response.request
            body = response.bodyStream.makeAsyncIterator()
        }

        /// Returns the next bytes as soon as they arrive; `nil` after the last byte.
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

extension ResponseDecoding where Value == ResponseStream {
    /// The head of a response, with a body that you read while it arrives.
    public static var stream: Self {
        var decoding = Self(decodesBody: false) { ResponseStream($0, decoder: $1) }
        decoding.delivery = .stream
        return decoding
    }
}

extension HTTPResponse {
    /// The response with trailers that become available after the last byte, even if the body is in memory.
    fileprivate var withTrailersAtEnd: HTTPResponse {
        guard case .data(let data) = body, let fields = trailers else { return self }
        let known = Locked<HTTPHeaders?>(nil)
        var response = self
        response.takeTrailers(from: known)
        response.body = .stream(
            BodyStream(length: Int64(data.count), isReplayable: false) {
                let rest = Locked<Data?>(data.isEmpty ? nil : data)
                return BodyStream.Reading {
                    if let data = rest.withLock({ $0.take() }) { return data }
                    known.withLock { $0 = fields }
                    return nil
                }
            })
        return response
    }

    fileprivate var bodyStream: BodyStream {
        switch body {
        case .stream(let stream): stream
        case .data(let data): .piece(.success(data))
        case .file(let url): .piece(Result { try Data(contentsOf: url, options: .mappedIfSafe) })
        }
    }
}

extension BodyStream {
    /// A stream of one piece, or an empty stream for empty data.
    fileprivate static func piece(_ piece: Result<Data, any Error>) -> BodyStream {
        BodyStream {
            AsyncThrowingStream { pieces in
                switch piece {
                case .success(let data):
                    if !data.isEmpty { pieces.yield(data) }
                    pieces.finish()
                case .failure(let error): pieces.finish(throwing: error)
                }
            }
        }
    }
}
