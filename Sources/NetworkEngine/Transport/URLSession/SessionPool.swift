import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport's sessions and the limiter of their connections.
struct SessionPool: Sendable {
    let gate: ConnectionLimiter
    private let session: SessionHandle
    /// The session for requests that may not be sent twice, each on a new connection.
    private let closing: SessionHandle?
    let upgrades: SessionUpgrades

    private static let mostConnectionsPerHost = 10_000

    init(
        _ configuration: URLSessionConfiguration,
        security: SessionSecurity,
        options: URLSessionOptions,
        observer: SessionObserver?
    ) throws(NetworkError) {
        let perHost = min(max(1, configuration.httpMaximumConnectionsPerHost), 1 << 20)
        // The limiter counts requests. A refresh also uses connections, as do streams that have returned their permits.
        let configuration = try configuration.sanitized(connections: max(perHost, Self.mostConnectionsPerHost))
        security.prepare(configuration)
        gate = ConnectionLimiter(perHost: perHost, total: options.totalLimit, queueLimit: options.queueLimit)
        session = SessionHandle(configuration, security, options, observer)
        upgrades = SessionUpgrades(configuration, security: security)
        switch options.connectionsForUnsafeMethods {
        case .shared: closing = nil
        case .fresh:
            let own = try configuration.duplicate()
            own.httpAdditionalHeaders = own.additionalHeadersClosing
            closing = SessionHandle(own, security, options, observer)
        }
    }

    /// The session for a request.
    func session(for request: HTTPRequest) -> SessionHandle {
        request.method.isSafe || request.isRepeatable ? session : closing ?? session
    }

    /// Identifies this pool.
    var identity: ObjectIdentifier { ObjectIdentifier(session) }

    func shutDown() {
        gate.close()
        session.shutDown()
        closing?.shutDown()
        upgrades.shutDown()
    }
}

extension URLSessionConfiguration {
    /// Makes the server close the connection after its response, so that it is not reused.
    fileprivate var additionalHeadersClosing: [AnyHashable: Any] {
        (httpAdditionalHeaders ?? [:]).merging(["Connection": "close"]) { _, close in close }
    }
}
