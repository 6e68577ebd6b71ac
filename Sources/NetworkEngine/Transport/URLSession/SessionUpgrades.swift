#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// URLSession on Linux has no usable WebSockets: the system's libcurl is built without them.
final class SessionUpgrades: Sendable {
    init(_ configuration: URLSessionConfiguration, security: SessionSecurity) {}

    func response(
        to request: HTTPRequest,
        _ offer: any UpgradeOffer,
        _ context: TransportContext
    ) async throws -> HTTPResponse {
        throw NetworkError.unsupported("URLSession on Linux opens no WebSockets; use CurlTransport", request: request)
    }

    func shutDown() {}
}
#endif
