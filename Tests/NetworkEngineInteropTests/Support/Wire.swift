import Foundation
import NetworkEngineCurl
import TestSupport

@testable import NetworkEngine

/// The transports for the clients that guests use.
enum Wire: CaseIterable {
    case urlSession
    case curl

    /// The transports that the tests run over.
    static let all: [Wire] = TestTransports.chosen(
        urlSession: .urlSession, curl: CurlTransport.isAvailable ? .curl : nil)

    /// A transport, and a function that shuts it down.
    func open() -> (transport: any Transport, shutDown: @Sendable () -> Void) {
        switch self {
        case .urlSession:
            let transport = URLSessionTransport()
            return (transport, { transport.shutdown() })
        case .curl:
            let transport = CurlTransport()
            return (transport, { transport.shutdown() })
        }
    }
}
