import Foundation
public import NetworkEngine

/// Sends requests through libcurl, faster than URLSession on Linux and without its bugs.
///
/// ```swift
/// var configuration = NetworkConfiguration()
/// configuration.transport = CurlTransport()
/// ```
/// Each transport has several threads for requests, which start when there is work for them, and one for all
/// WebSockets. The configuration's `requestsPerHost` limits concurrent requests. Other requests wait in order of
/// priority. A credential refresh goes before all of them and has an extra permit. A streamed response returns its
/// permit with its head. Redirects are not followed, cookies are not stored, and proxies are not detected. A request
/// that is neither idempotent nor has an `Idempotency-Key` is processed at most once: it is sent again only if the
/// server has reported that it processed nothing of it. If the kept-alive connection of any other request is lost
/// before the response, the request is sent once more within its attempt, on a new connection.
/// `ExchangeMetrics.resends` counts both.
///
/// A streamed response body arrives as fast as it is read: a slow reader slows the server down. A streamed request body
/// is sent as it is produced, in chunks if its length is unknown. If it fails, the request is aborted, so that no
/// server accepts it as complete. While it is sent, the request keeps its permit, and a stream that produces no bytes
/// during the `timeout` fails the request. On a shared HTTP/2 connection, the bytes of a head count toward the
/// `timeout` only when the head is complete.
///
/// The transport uses the libcurl that FoundationNetworking has loaded, from version 7.68 on. Without libcurl, and on
/// Apple platforms, `isAvailable` is false and every send fails with `.unsupported` before any I/O. Older versions have
/// limitations: before 7.86, WebSockets are not supported. Before 7.80, HTTP/2 connections are not shared, and bytes on
/// an idle connection are not noticed. Before 7.87, a request that is canceled during name resolution blocks the
/// transport until the name is resolved.
///
/// An HTTP/1.1 connection that receives bytes while it is idle is not used again. If a server sends a TLS session
/// ticket that late, the next request needs a new connection.
public struct CurlTransport: TransportDriver, UpgradingTransport {
    /// Whether a usable libcurl is available.
    public static var isAvailable: Bool { if case .success = CurlLibrary.shared { true } else { false } }

    /// The threads shared by all copies of a transport.
    private struct Threads {
        /// Sends requests.
        let exchanges: CurlThreads
        /// Owns the WebSocket connections.
        let sockets: CurlSocketThread
    }

    private let threads: Result<Threads, NetworkError>
    /// The `User-Agent` of requests without one.
    let userAgent: String?
    let resolver: CurlResolver?

    /// Creates a transport. If the configuration is invalid, every send throws the error from `validate()`.
    public init(configuration: CurlConfiguration = .init()) {
        userAgent = configuration.userAgent
        resolver = configuration.resolver.map { CurlResolver(addresses: $0, limit: configuration.connectTimeout) }
        threads = Result { () throws(NetworkError) in
            let library = try CurlLibrary.shared.get()
            let base = try CurlSharedOptions(configuration, library)
            return Threads(exchanges: CurlThreads(configuration, base), sockets: CurlSocketThread(base, library))
        }
    }

    package var identity: ObjectIdentifier? { (try? threads.get()).map { ObjectIdentifier($0.exchanges) } }

    /// Throws the error that every send would throw because of the configuration or a missing libcurl.
    ///
    /// Also throws `.invalidRequest` for certificates that libcurl cannot load, with which every send over TLS would
    /// fail: a client certificate that does not match its key, or a system without CA certificates.
    public func validate() throws(NetworkError) { try openThreads().exchanges.rehearse() }

    /// Sends a request. Throws `CancellationError` if the task is canceled.
    public func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        let threads = try threads(for: request)
        try request.validate()
        try request.checkForCurl()
        try Task.checkCancellation()
        if let offer = context.upgrade {
            let resolution = try await resolution(for: request, context, on: threads)
            return try await upgrade(request, to: offer, context, resolution, on: threads.sockets)
        }
        let exchanges = threads.exchanges
        let upload = request.body.isAbsent ? nil : try await CurlUpload.preparing(request, context: context)
        try exchanges.start()
        // A caller that sets Accept-Encoding decodes the body itself.
        let decodes = context.choosesCoding || !request.headers.contains("Accept-Encoding")
        let line = CurlRequest(
            request, hasBody: upload != nil, trailers: upload?.trailerNames ?? [],
            decodes: exchanges.decodes && decodes,
            resolution: try await resolution(for: request, context, on: threads))
        let exchange = Exchange(request, context: context, upload: upload, backlogInFile: 0)
        let task = CurlTask(
            exchange, request: line, upload: upload,
            mayMultiplex: exchanges.mayMultiplex(line, upload), loops: exchanges)
        return try await exchange.response(by: task)
    }

    /// The resolver's addresses for a request's host; empty without a resolver. Shutting down the transport ends the
    /// wait.
    private func resolution(
        for request: HTTPRequest,
        _ context: TransportContext,
        on threads: Threads
    ) async throws -> [UInt8] {
        guard let resolver else { return [] }
        return try await threads.exchanges.common.gate.whileOpen(for: request) {
            try await resolver.line(for: request, context)
        }
    }

    private func threads(for request: HTTPRequest) throws(NetworkError) -> Threads {
        do throws(NetworkError) { return try openThreads() } catch { throw error.completed(request: request) }
    }

    private func openThreads() throws(NetworkError) -> Threads {
        let threads = try threads.get()
        if threads.exchanges.isShutDown { throw .transportIsShutDown }
        return threads
    }

    /// Ends all waiting and running requests with `.cancelled`, closes all connections, and waits for the threads to
    /// end.
    ///
    /// On one of a transport's threads, as in a progress closure, it does not wait for them.
    ///
    /// Afterwards, `validate()` and every send throw `.unsupported`: other providers with this transport need a new
    /// one. Releasing the last copy of the transport also ends its threads. If a streamed body is still arriving or a
    /// WebSocket is open, they end after it.
    public func shutdown() {
        guard case .success(let threads) = threads else { return }
        threads.exchanges.shutDown()
        threads.sockets.shutDown()
    }
}

extension HTTPRequest {
    /// The maximum length of a URL with header fields. libcurl writes the head into a 1 MiB buffer, including its own
    /// fields. If it is too long, libcurl returns the same error as for a response with a large head.
    private static let longestHead = (1 << 20) - (1 << 12)

    /// Throws for a valid request that libcurl cannot send.
    fileprivate func checkForCurl() throws(NetworkError) {
        if method == .connect { throw .unsupported("CurlTransport does not send CONNECT", request: self) }
        if method == .head, !body.isAbsent {
            throw .unsupported("CurlTransport does not send a body with HEAD", request: self)
        }
        let length = headers.reduce(url.absoluteString.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        if length > Self.longestHead {
            let reason = "address and headers are longer than \(Self.longestHead) bytes"
            let figures = ErrorFigures(byteCount: Int64(length))
            throw NetworkError(kind: .invalidRequest, reason: reason, request: self, figures: figures)
        }
    }
}
