import Foundation
package import NetworkEngine

extension WebSocketOffer: UpgradeOffer {
    package func check(_ request: HTTPRequest) throws(NetworkError) {
        try request.checkForWebSocket(protocols: protocols)
    }

    package func address(_ text: String) -> String { text.handshakeAddress }

    package func response(
        to request: HTTPRequest,
        over channel: any ByteChannel,
        userAgent: String?,
        activity: @escaping @Sendable () -> Void
    ) async throws(NetworkError) -> HTTPResponse {
        try await WebSocketOpening.response(
            to: request, over: channel, offer: self, userAgent: userAgent, activity: activity)
    }

    #if !canImport(FoundationNetworking)
    package func makeSession(
        _ configuration: URLSessionConfiguration,
        security: SessionSecurity
    ) -> any UpgradeSession {
        WebSocketSession(configuration, security: security)
    }
    #endif
}
