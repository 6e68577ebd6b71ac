import Foundation
import NetworkEngineCurl
import TestSupport

@testable import NetworkEngine

/// The transports of the clients under guests.
enum Wire: CaseIterable {
    case urlSession
    case curl

    /// Those that the tests run over.
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
