import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// A subclass of `JSONDecoder` always does its own decoding, whatever the target or key path.
@Suite(.timeLimit(.minutes(5))) struct DecoderSubclassTests {
    /// Strips a prefix that some servers put before their JSON, and counts.
    private final class Stripping: JSONDecoder, @unchecked Sendable {
        let count = Locked(0)

        override func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            count.withLock { $0 += 1 }
            return try super.decode(type, from: data.dropFirst(data.first == UInt8(ascii: ")") ? 5 : 0))
        }
    }

    private struct Event: Decodable, Sendable, Equatable {
        enum Kind: String, Decodable { case talk }
        struct Place: Decodable, Equatable { var roomNumber: Int? }
        var startDate: Date
        var kindOfEvent: Kind
        var places: [Place]
        var otherDates: [Date]?
        var peopleCounts: [String: [String: Int]]
        var mainPlace: Place?
    }

    private static let body = """
        )]}',{"data_set": {"start_date": 100, "kind_of_event": "talk", "places": [{"room_number": 1}, {"room_number": null}],
        "other_dates": [1, 2], "people_counts": {"at_noon": {"in_room": 3}}, "main_place": {"room_number": 7}}}
        """

    private static let event = Event(
        startDate: Date(timeIntervalSince1970: 100), kindOfEvent: .talk,
        places: [.init(roomNumber: 1), .init(roomNumber: nil)],
        otherDates: [1, 2].map(Date.init(timeIntervalSince1970:)), peopleCounts: ["at_noon": ["in_room": 3]],
        mainPlace: .init(roomNumber: 7))

    private static func decoder(_ keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys) -> Stripping {
        let decoder = Stripping()
        decoder.dateDecodingStrategy = .secondsSince1970
        decoder.keyDecodingStrategy = keys
        return decoder
    }

    private func provider(_ decoder: JSONDecoder, _ body: String = body) -> NetworkProvider<TestTarget> {
        NetworkProvider(MockTransport(MockAnswer.json(body).repeating())) { $0.decoder = decoder }
    }

    private static let strategies: [JSONDecoder.KeyDecodingStrategy] = [
        .convertFromSnakeCase, .custom { Camel($0.last?.stringValue ?? "") },
    ]

    private struct Camel: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) {
            let words = name.split(separator: "_")
            stringValue = (words.first ?? "") + words.dropFirst().map(\.capitalized).joined()
        }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    @Test(arguments: strategies.indices) func `a decoder subclass decodes for a target with a key strategy`(index: Int)
        async throws
    {
        let decoder = Self.decoder()
        let target = TestTarget(keyDecodingStrategy: Self.strategies[index])
        let value: [String: Event] = try await provider(decoder).request(target)
        #expect(value == ["data_set": Self.event])
        #expect(decoder.count.withLock { $0 } == 1)
        guard case .useDefaultKeys = decoder.keyDecodingStrategy else { throw Wrong(decoder.keyDecodingStrategy) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private struct Wide: Decodable, Sendable {
        enum Key: String, CodingKey { case largeNumber, otherNumber, byHand }
        var largeNumber: Int128
        var otherNumber: UInt128?
        var byHand: [UInt128]
        var last: Int128

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            largeNumber = try container.decode(Int128.self, forKey: .largeNumber)
            otherNumber = try container.decodeIfPresent(UInt128.self, forKey: .otherNumber)
            var list = try container.nestedUnkeyedContainer(forKey: .byHand)
            byHand = [try list.decode(UInt128.self)]
            last = try list.superDecoder().singleValueContainer().decode(Int128.self)
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func `a decoder subclass decodes integers of 128 bits for a target with a key strategy`() async throws {
        let body = #"{"large_number": 9223372036854775808, "other_number": 2, "by_hand": [3, -4]}"#
        let target = TestTarget(keyDecodingStrategy: .convertFromSnakeCase)
        let value: Wide = try await provider(Self.decoder(), body).request(target)
        #expect(value.largeNumber == Int128(Int64.max) + 1 && value.otherNumber == 2)
        #expect(value.byHand == [3] && value.last == -4)
    }

    @Test func `a decoder subclass decodes the value at a key path`() async throws {
        let decoder = Self.decoder(.convertFromSnakeCase)
        let event: Event = try await provider(decoder).request(TestTarget(), decoding: .json(at: "data_set"))
        #expect(event == Self.event)
        #expect(decoder.count.withLock { $0 } == 1)
    }

    @Test func `a decoder subclass decodes with a key strategy and a key path`() async throws {
        for path in ["data_set", "dataSet"] {
            let decoder = Self.decoder()
            let target = TestTarget(keyDecodingStrategy: .convertFromSnakeCase)
            let event: Event = try await provider(decoder).request(target, decoding: .json(at: path))
            #expect(event == Self.event && decoder.count.withLock { $0 } == 1)
        }
    }

    @Test func `concurrent calls with different strategies share a decoder subclass`() async throws {
        let decoder = Self.decoder()
        let provider = provider(decoder, #"{"start_date": 1, "startDate": 2}"#)
        struct Start: Decodable { var startDate: Int }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for isSnake in (0..<200).map({ $0.isMultiple(of: 2) }) {
                group.addTask {
                    let target = TestTarget(keyDecodingStrategy: isSnake ? .convertFromSnakeCase : .useDefaultKeys)
                    let start: Start = try await provider.request(target)
                    #expect(start.startDate == 2 || isSnake)
                }
            }
            try await group.waitForAll()
        }
        #expect(decoder.count.withLock { $0 } == 200)
    }

    @Test(arguments: [
        #"{"data_set": {"start_date": "x"}}"#, #"{"data_set": {}}"#, #"{"data_set": null}"#, #"{"data_set": [1]}"#,
        #"{"data_set": {"start_date": 1, "kind_of_event": "talk", "places": [{"room_number": "x"}]}}"#,
    ])
    func `the errors of a decoder subclass name the same coding paths as a plain decoder`(body: String) async throws {
        let target = TestTarget(keyDecodingStrategy: .convertFromSnakeCase)
        var reasons: [String] = []
        for decoder in [Self.decoder(), JSONDecoder()] {
            decoder.dateDecodingStrategy = .secondsSince1970
            let error = await #expect(throws: NetworkError.self) {
                try await provider(decoder, body).request(target, as: [String: Event].self)
            }
            reasons.append(error?.reason ?? "")
        }
        #expect(reasons[0] == reasons[1])
    }

    @Test(arguments: 0..<6) func `a decoder subclass decodes any document to the same value as a plain decoder`(
        seed: UInt64
    ) throws {
        var text = JSONText(random: SeededGenerator(seed: 700 + seed))
        for _ in 0..<TestLength.part(of: 60) {
            let response = HTTPResponse.sample(text.document())
            func value<Value: Decodable & SendableMetatype>(_ type: Value.Type, _ decoder: JSONDecoder) throws -> Value
            {
                let standard = BodyDecoder(decoder, keys: .convertFromSnakeCase)
                return try ResponseDecoding<Value>.json.value(of: response, standard: standard)
            }
            let (own, plain) = (Self.decoder(), JSONDecoder())
            #expect(try value(NastyJSONTests.Value.self, own) == value(NastyJSONTests.Value.self, plain))
            // Excluded: the location of a container that ran out of elements, and duplicate names.
            func answers(_ decoder: JSONDecoder) throws -> String {
                try value(Transcript.self, decoder).lines.joined(separator: "\n").replacing(
                    #/(at|\[String: Int\]\?): .*/#, with: "")
            }
            #expect(try answers(own) == answers(plain))
        }
    }
}
