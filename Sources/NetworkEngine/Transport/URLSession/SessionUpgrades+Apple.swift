#if !canImport(FoundationNetworking)
import Foundation

/// A transport's session for requests that ask to switch protocols. The first of them creates it.
final class SessionUpgrades: Sendable {
    private struct State {
        var session: (any UpgradeSession)?
        var isShutDown = false
    }

    private let configuration: URLSessionConfiguration
    private let security: SessionSecurity
    private let state = Locked(State())

    init(_ configuration: URLSessionConfiguration, security: SessionSecurity) {
        self.configuration = configuration
        self.security = security
    }

    func response(
        to request: HTTPRequest,
        _ offer: any UpgradeOffer,
        _ context: TransportContext
    ) async throws -> HTTPResponse {
        let session = state.withLock { state -> (any UpgradeSession)? in
            if state.isShutDown { return nil }
            let session = state.session ?? offer.makeSession(configuration, security: security)
            state.session = session
            return session
        }
        guard let session else { throw NetworkError.transportIsShutDown.completed(request: request) }
        let upgrade = try session.upgrade(request, to: offer)
        context.admitted()
        context.onInterruption { upgrade.abandon() }
        return try await withTaskCancellationHandler {
            try await context.departing(request) { try await upgrade.open() }
        } onCancel: {
            upgrade.abandon()
        }
    }

    func shutDown() {
        let session = state.withLock { state in
            state.isShutDown = true
            return state.session.take()
        }
        session?.shutDown()
    }
}
#endif
