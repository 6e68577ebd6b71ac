import DemoTour
import Foundation
import Testing

/// Reads the timeline and the archive of the entire tour.
@Suite(.timeLimit(.minutes(5))) struct RecordingTests {
    private struct Archive: Decodable {
        struct Log: Decodable {
            var version: String
            var entries: [Entry]
        }

        struct Entry: Decodable {
            struct Request: Decodable {
                var method: String
                var url: String
            }

            struct Response: Decodable {
                var status: Int
                var _error: String?
            }

            var startedDateTime: String
            var time: Double
            var request: Request
            var response: Response
            var timings: [String: Double]

            /// The sum of the known phases. The TLS handshake is part of `connect`.
            var sum: Double { timings.filter { $0.key != "ssl" && $0.value > 0 }.values.reduce(0, +) }
        }

        var log: Log
    }

    @Test func `the recordings have all calls and no secret`() async throws {
        // The transport comparison makes one of the other calls 800 times.
        let run = try await TourRun(steps: Step.all.filter { $0.name != "transports" })
        #expect(run.status == 0, "\(run.errors)")
        let (page, text) = (try run.text(of: "timeline.html"), try run.text(of: "session.har"))
        let entries = try JSONDecoder().decode(Archive.self, from: Data(text.utf8)).log.entries
        let paths = Set(entries.compactMap { URL(string: $0.request.url)?.path })
        #expect(entries.allSatisfy { !$0.startedDateTime.isEmpty && $0.time >= $0.sum - 0.001 })
        for path in ["/login", "/me", "/token", "/flaky", "/avatar", "/report", "/builds", "/article", "/graphql"] {
            #expect(paths.contains(path) && page.contains(path))
        }
        #expect((1...200).allSatisfy { paths.contains("/orders/\($0)") && page.contains("/orders/\($0)\"") })
        let flaky = entries.filter { $0.request.url.hasSuffix("/flaky") }
        #expect(
            flaky.map(\.response.status) == [503, 200, 200]
                && flaky.map { $0.response._error != nil } == [false, true, false])
        #expect(entries.contains { $0.response.status == 304 })
        for secret in ["correct horse", "access-", "refresh-"] {
            #expect(!text.contains(secret) && !page.contains(secret), "\(secret)")
        }
    }
}
