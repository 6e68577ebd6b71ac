import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A target's key strategy applies only to its own calls.
@Suite(.timeLimit(.minutes(5))) struct KeyStrategyTests {
    private struct Event: Decodable, Sendable, Equatable {
        var startDate: Date
        var weight: Double
        var payload: Data
    }

    private struct Note: Decodable, Sendable {
        static let key = CodingUserInfoKey(rawValue: "note")
        let text: String?
        init(from decoder: any Decoder) throws { text = Self.key.flatMap { decoder.userInfo[$0] as? String } }
    }

    private let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        decoder.dataDecodingStrategy = .custom { Data(try String(from: $0).utf8) }
        decoder.allowsJSON5 = true
        if let key = Note.key { decoder.userInfo[key] = "kept" }
        return decoder
    }()

    private func provider(_ json: String) -> NetworkProvider<TestTarget> {
        NetworkProvider(MockTransport(MockAnswer.json(json).repeating())) { [decoder] in $0.decoder = decoder }
    }

    @Test func `every other option of the configured decoder is kept`() async throws {
        let provider = provider("{start_date: 100, weight: 'inf', payload: 'abc'}")
        let event: Event = try await provider.request(TestTarget(keyDecodingStrategy: .convertFromSnakeCase))
        let date = Date(timeIntervalSince1970: 100)
        #expect(event == Event(startDate: date, weight: .infinity, payload: Data("abc".utf8)))
        let note: Note = try await provider.request(TestTarget(keyDecodingStrategy: .convertFromSnakeCase))
        #expect(note.text == "kept")
    }

    @Test func `the configured decoder is never changed`() async throws {
        let provider = provider("{start_date: 100, startDate: 200, weight: 1, payload: ''}")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for isSnake in (0..<200).map({ $0.isMultiple(of: 2) }) {
                group.addTask {
                    let strategy: JSONDecoder.KeyDecodingStrategy = isSnake ? .convertFromSnakeCase : .useDefaultKeys
                    let event: Event = try await provider.request(TestTarget(keyDecodingStrategy: strategy))
                    #expect(isSnake || event.startDate == Date(timeIntervalSince1970: 200))
                }
            }
            try await group.waitForAll()
        }
        guard case .useDefaultKeys = decoder.keyDecodingStrategy else { throw Wrong(decoder.keyDecodingStrategy) }
    }

    @Test func `a target without a strategy has the configured one`() async throws {
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let event: Event = try await provider("{start_date: 100, weight: 1, payload: ''}").request(TestTarget())
        #expect(event.startDate == Date(timeIntervalSince1970: 100))
    }

    @Test func `a decoder of the call is used as it is`() async throws {
        let target = TestTarget(keyDecodingStrategy: .convertFromSnakeCase)
        let value: [String: Int] = try await provider(#"{"a_b": 1}"#).request(target, decoding: .json(JSONDecoder()))
        #expect(value == ["a_b": 1])
    }
}
