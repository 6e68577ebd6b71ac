public import NetworkEngine

/// Sends requests straight through libcurl: on Linux right where the system's session is not, and many times as fast.
///
/// ```swift
/// var configuration = NetworkConfiguration()
/// configuration.transport = CurlTransport()
/// ```
/// One thread for each transport does all I/O; it begins with the first request. `requestsPerHost` of its configuration
/// run at a time, the others wait in order of priority, and a refresh of a credential goes before all of them, in a place
/// of its own. A response that is streamed gives its place back with its head. Redirects are not followed, cookies not kept, and proxies not looked for. A request that is not idempotent
/// reaches the server at most once. A body that was asked for as a stream comes as fast as it is read: who reads slowly
/// slows the server down. A body that is sent as a stream goes out while it comes, in chunks where nobody knows how long it
/// will be; whatever is wrong with it then breaks the request off, so that no server takes it for whole. Meanwhile it has
/// its place, and a stream that gives no bytes for as long as the `timeout` ends the request. On an HTTP/2
/// connection, which requests share, bytes of a head count for the `timeout` when the head is complete.
///
/// It uses the libcurl that FoundationNetworking has brought into the process, from 7.68 on. Where there is none, and on
/// Apple platforms, `isAvailable` is false and every send fails with `.unsupported` before any I/O. Older versions have
/// limits: before 7.80 HTTP/2 connections are not shared, and bytes on an idle connection go unnoticed; before 7.87 a
/// request that is cancelled while its host's name is resolved holds up the transport until the name is resolved.
///
/// An HTTP/1.1 connection on which bytes came while it was idle is not used again. A TLS session ticket that a server
/// sends that late costs its client a new connection.
public struct CurlTransport: TransportDriver {
    /// Whether there is a libcurl that can be used.
    public static var isAvailable: Bool { if case .success = CurlLibrary.shared { true } else { false } }

    private let thread: Result<CurlThread, NetworkError>

    public init(configuration: CurlConfiguration = .init()) {
        thread = Result { () throws(NetworkError) in try CurlThread(configuration, try CurlLibrary.shared.get()) }
    }

    package var identity: ObjectIdentifier? { (try? thread.get()).map { ObjectIdentifier($0) } }

    /// Throws what every send would throw because of the configuration, or for lack of libcurl.
    public func validate() throws(NetworkError) { _ = try thread.get() }

    /// Sends a request. When the task that awaits it is cancelled, it throws `CancellationError`.
    public func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        let thread = try thread.mapError { $0.completed(request: request) }.get()
        try request.validate()
        try request.checkForCurl()
        try Task.checkCancellation()
        let upload = request.body.isNone ? nil : try await CurlUpload.preparing(request, context: context)
        try thread.start()
        // A caller that sets Accept-Encoding decodes the body itself.
        let decodes = context.choosesCoding || !request.headers.contains("Accept-Encoding")
        let line = CurlRequest(request, hasBody: upload != nil, decodes: thread.decodes && decodes)
        let exchange = Exchange(request, context: context, upload: upload, backlogInFile: 0)
        return try await CurlTask(exchange, request: line, upload: upload, thread: thread).response()
    }

    /// Ends what is in flight or waiting with `.cancelled`, and every later send too; closes all connections and returns
    /// when the thread is gone.
    ///
    /// The last copy of the transport does the same when it goes, unless a streamed body is still coming: then it is
    /// as soon as that has ended.
    public func shutdown() {
        if case .success(let thread) = thread { thread.shutDown() }
    }
}

extension HTTPRequest {
    /// Throws for what is a legal request, but not one that libcurl can send.
    fileprivate func checkForCurl() throws(NetworkError) {
        if method == .connect { throw .unsupported("CurlTransport does not send CONNECT", request: self) }
        if method == .head, !body.isNone {
            throw .unsupported("CurlTransport does not send a body with HEAD", request: self)
        }
    }
}
