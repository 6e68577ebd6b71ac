import Foundation
import Testing

@testable import NetworkEngine

/// An exchange, from the perspective of the driver that reports its events.
@Suite struct ExchangeTests {
    /// Counts how often it was stopped.
    private final class Upload: RequestUpload {
        let stops = Locked(0)
        let announcedLength: Int64? = nil
        let sent: Int64 = 0
        let failure: (any Error)? = nil

        func stop() { stops.withLock { $0 += 1 } }
    }

    enum Ending: CaseIterable { case end, refusal, failure, cancellation }

    @Test(arguments: Ending.allCases) func `an upload is stopped once, however its exchange ends`(ending: Ending) {
        let upload = Upload()
        let request = HTTPRequest(method: .post, url: URL(filePath: "/"))
        let exchange = Exchange(request, context: TransportContext(), upload: upload, backlogInFile: 0)
        #expect(upload.stops.withLock { $0 } == 0)
        switch ending {
        case .end: _ = exchange.end()
        case .refusal: _ = exchange.abort(.bodyTooLarge(limit: 1))
        case .failure: _ = exchange.fail { _ in NetworkError(kind: .connection) }
        case .cancellation: _ = exchange.abort(.cancelled)
        }
        #expect(upload.stops.withLock { $0 } == 1)
        _ = exchange.abort(.cancelled)
        #expect(upload.stops.withLock { $0 } == 1)
    }
}
