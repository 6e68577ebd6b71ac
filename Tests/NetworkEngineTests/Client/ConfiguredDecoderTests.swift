import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Tests that a response is always decoded with the configuration's decoder and the target's key strategy.
@Suite(.timeLimit(.minutes(5))) struct ConfiguredDecoderTests {
    private struct Event: Decodable, Equatable, Sendable {
        var startTime: Date
    }

    private static let json = #"{"start_time": 1000}"#
    private static let event = Event(startTime: Date(timeIntervalSince1970: 1))
    private static let target = TestTarget(keyDecodingStrategy: .convertFromSnakeCase)

    private func provider(_ answer: MockAnswer) -> NetworkProvider<TestTarget> {
        NetworkProvider(MockTransport(answer)) { $0.decoder = Self.decoder }
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        return decoder
    }

    @Test func `the body of an error is decoded by the configured decoder, with the target's key strategy`() async {
        let error = await provider(.json(Self.json, status: 422)).failure(Self.target)
        #expect(error?.body(as: Event.self) == Self.event)
    }

    @Test func `the body of an error in a callback is decoded by the configured decoder`() async throws {
        let result = OneShot<Result<Data, NetworkError>>()
        provider(.json(Self.json, status: 422)).data(Self.target, queue: .global()) { result.settle($0) }
        guard case .failure(let error) = try await result.wait() else { return #expect(Bool(false)) }
        #expect(error.body(as: Event.self) == Self.event)
    }

    @Test func `the body of a decoding error is decoded by the configured decoder`() async {
        let error = await #expect(throws: NetworkError.self) {
            let _: [Int] = try await provider(.json(Self.json)).request(Self.target)
        }
        #expect(error?.body(as: Event.self) == Self.event)
    }

    @Test func `an explicit decoder replaces the configured one for the body of an error`() async {
        let error = await provider(.json(#"{"startTime": 1}"#, status: 422)).failure(Self.target)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        #expect(error?.body(as: Event.self, decoder: decoder) == Self.event)
    }

    private struct Failing: TypedErrorTarget {
        typealias ErrorBody = Event
        var baseURL: URL { API.base }
        var path: String { "/" }
        var method: HTTPMethod { .get }
        var task: NetworkTask { .requestPlain }
        var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
    }

    @Test func `the typed body of a target's error is decoded by the configured decoder`() async {
        let mock = MockTransport(.json(Self.json, status: 422))
        let error = await NetworkProvider<Failing>(mock) { $0.decoder = Self.decoder }.failure(Failing())
        #expect(error?.body(for: Failing()) == Self.event)
    }

    @Test func `an error without a call is decoded by a plain decoder`() {
        let request = HTTPRequest(url: API.base)
        let body = ResponseBody.data(Data(#"{"startTime": 1}"#.utf8))
        let error = NetworkError(kind: .status, response: HTTPResponse(statusCode: 422, body: body, request: request))
        #expect(error.body(as: Event.self) == Event(startTime: Date(timeIntervalSinceReferenceDate: 1)))
    }

    @Test func `JSON lines are decoded by the configured decoder, with the target's key strategy`() async throws {
        let provider = provider(.status(200, body: Self.json + "\n" + Self.json))
        let events: [Event] = try await provider.stream(Self.target).jsonLines().reduce(into: []) { $0.append($1) }
        #expect(events == [Self.event, Self.event])
    }

    @Test func `an explicit decoder replaces the configured one for JSON lines`() async throws {
        let stream = try await provider(.status(200, body: #"{"startTime": 1}"#)).stream(Self.target)
        let plain = JSONDecoder()
        plain.dateDecodingStrategy = .secondsSince1970
        let events = try await stream.jsonLines(as: Event.self, decoder: plain).reduce(into: []) { $0.append($1) }
        #expect(events == [Self.event])
    }

    @Test func `the stream of an endpoint is decoded by the client's decoder`() async throws {
        let client = HTTPClient(MockTransport(.status(200, body: #"{"startTime": 1000}"#))) {
            $0.decoder = Self.decoder
        }
        let stream = try await client.stream(.get("/events"))
        let events = try await stream.jsonLines(as: Event.self).reduce(into: []) { $0.append($1) }
        #expect(events == [Self.event])
    }
}
