import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The sessions of a transport and the one queue before them.
struct SessionPool: Sendable {
    let gate: AdmissionGate
    private let session: SessionHandle
    /// Where each request has a connection of its own.
    private let closing: SessionHandle?

    private static let mostConnectionsPerHost = 10_000

    init(
        _ configuration: URLSessionConfiguration,
        security: SessionSecurity,
        options: URLSessionOptions
    ) throws(NetworkError) {
        let perHost = min(max(1, configuration.httpMaximumConnectionsPerHost), 1 << 20)
        // The gate limits requests. Connections also belong to a refresh, and to streams, which have given their places back.
        let configuration = try configuration.sanitized(connections: max(perHost, Self.mostConnectionsPerHost))
        security.prepare(configuration)
        gate = AdmissionGate(perHost: perHost, total: options.totalLimit, queueLimit: options.queueLimit)
        session = SessionHandle(configuration: configuration, security: security)
        switch options.connectionsForUnsafeMethods {
        case .shared: closing = nil
        case .fresh:
            // A session copies its configuration: this does not reach the first one.
            configuration.httpAdditionalHeaders = configuration.additionalHeadersClosing
            closing = SessionHandle(configuration: configuration, security: security)
        }
    }

    /// The session that sends requests of this method.
    func session(for method: HTTPMethod) -> SessionHandle {
        method.isSafe ? session : closing ?? session
    }

    func shutDown() {
        gate.close()
        session.shutDown()
        closing?.shutDown()
    }
}

extension URLSessionConfiguration {
    /// The server closes the connection after its response, so that nobody uses it a second time.
    fileprivate var additionalHeadersClosing: [AnyHashable: Any] {
        (httpAdditionalHeaders ?? [:]).merging(["Connection": "close"]) { _, close in close }
    }
}
