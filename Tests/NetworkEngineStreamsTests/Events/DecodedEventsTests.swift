import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineStreams
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct DecodedEventsTests {
    private struct Price: Decodable, Equatable, Sendable { var lastPrice: Int }

    private func mock(_ text: String) -> MockTransport {
        MockTransport(.status(200, headers: ["Content-Type": "text/event-stream"], body: text), .status(204))
    }

    private func configure(_ configuration: inout NetworkConfiguration) {
        configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        configuration.clock = TestClock()
    }

    @Test func `the data of an event is decoded with the configured decoder`() async throws {
        let mock = mock("data: {\"last_price\":\ndata: 7}\n\n")
        var prices = HTTPClient(mock, [], configure).events(.get("/prices"), as: Price.self).makeAsyncIterator()
        let price = try await prices.next()
        #expect(price == Price(lastPrice: 7))
        var others = NetworkProvider<API>(self.mock("data: {\"last_price\": 8}\n\n"), [], configure)
            .events(.plain, as: Price.self).makeAsyncIterator()
        let other = try await others.next()
        #expect(other == Price(lastPrice: 8))
    }

    @Test func `data that cannot be decoded is thrown with its text, and later events can be read`() async throws {
        let mock = mock("data: no JSON\n\ndata: {\"last_price\": 7}\n\n")
        var prices = HTTPClient(mock, [], configure).events(.get("/prices"), as: Price.self).makeAsyncIterator()
        do throws(NetworkError) {
            _ = try await prices.next()
            Issue.record("decoded what is no JSON")
        } catch {
            #expect(error.kind == .decoding && error.response?.data == Data("no JSON".utf8))
        }
        let next = try await prices.next()
        #expect(next == Price(lastPrice: 7))
    }

    @Test func `events with another name than the chosen one are skipped`() async throws {
        let mock = mock("event: ping\ndata: 1\n\nevent: price\ndata: {\"last_price\": 7}\n\n")
        var prices = HTTPClient(mock, [], configure).events(.get("/prices"), as: Price.self)
        prices.name = "price"
        var iterator = prices.makeAsyncIterator()
        let price = try await iterator.next()
        #expect(price == Price(lastPrice: 7))
    }
}
