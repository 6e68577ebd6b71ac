import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineJSON

/// The cost of decoding JSON, compared with Foundation's decoder in the same run.
enum DecodingCost {
    static func run() throws {
        try table(
            "Decoding JSON, µs, medians of 9 alternating rounds", samples
        )
        try table(
            "Decoding what has to be tried, converted or refused (limit: 0.9 times as fast)", DecodingShapes.samples
        )
    }

    /// Decodes one document for a long time, for use with a profiler.
    static func profile(_ number: Int, times: Int) throws {
        let samples = try samples
        let sample = samples[min(max(0, number), samples.count - 1)]
        let time = sample.time(times) { _ = try $0.decodeSafely($1, from: $2) }
        print("\(sample.name): \(time.rounded(to: 2)) µs")
    }

    private static func table(_ title: String, _ samples: [DecodingSample]) throws {
        var table = Table(
            title, columns: ["document", "bytes", "Foundation", "ours", "times as fast", "MB/s"]
        )
        for sample in samples {
            var (platform, quick) = ([Double](), [Double]())
            let count = max(1, Int(5_000 / sample.time { _ = try $0.decode($1, from: $2) }))
            for round in 0...9 {
                Progress.show("decoding, round \(round) of 9: \(sample.name)")
                let times = (
                    sample.time(count) { _ = try $0.decode($1, from: $2) },
                    sample.time(count) { _ = try $0.decodeSafely($1, from: $2) }
                )
                guard round > 0 else { continue }
                platform.append(times.0)
                quick.append(times.1)
            }
            table.add(
                sample.name,
                "\(sample.data.count)",
                platform.median.rounded(to: 2),
                quick.median.rounded(to: 2),
                zip(platform, quick).map { $0 / $1 }.median.rounded(to: 2),
                (Double(sample.data.count) / quick.median).rounded(to: 0)
            )
        }
        Progress.end()
        table.print()
    }

    private static var samples: [DecodingSample] {
        get throws {
            let ten = try Fixtures.data("UserListResponse")
            let camel = JSONDecoder()
            camel.keyDecodingStrategy = .convertFromSnakeCase
            let moments = JSONDecoder()
            moments.dateDecodingStrategy = .iso8601
            let text = #""\u0434\u043e\u0431\u0440\u044b\u0439 \u0434\u0435\u043d\u044c""#
            let escapes = Data("[\(repeatElement(text, count: 100).joined(separator: ","))]".utf8)
            let event = #"{"at":"2026-11-22T03:40:00Z","price":129.95}"#
            let events = Data("[\(repeatElement(event, count: 100).joined(separator: ","))]".utf8)
            return [
                DecodingSample("no user", #"{"page":1,"total":1,"users":[]}"#, type: UserList.self),
                DecodingSample(name: "10 users", data: ten),
                DecodingSample(
                    name: "10 users, names in camel case", data: ten, decoder: camel, type: CamelUserList.self),
                DecodingSample(name: "10 users, as any JSON", data: ten, type: AnyJSON.self),
                DecodingSample(name: "100 texts in escapes", data: escapes, type: [String].self),
                DecodingSample(
                    name: "100 moments and prices", data: events, decoder: moments, type: [Event].self
                ),
                DecodingSample(name: "10,000 users", data: try many(10_000)),
                DecodingSample(name: "250 posts", data: DecodingDocuments.posts(250), type: Posts.self),
                DecodingSample(name: "50,000 coordinates", data: DecodingDocuments.map(500), type: Map.self),
                DecodingSample("3,000 numbers", "\((0..<3_000).map { $0 * 7_919 })", type: [Int].self),
                DecodingSample("3,000 texts", "\((0..<3_000).map { "text number \($0)" })", type: [String].self),
            ]
        }
    }

    private static func many(_ count: Int) throws -> Data {
        let user =
            #"{"id":%d,"first_name":"Grace","last_name":"Höpper","email":"grace%d@example.com","is_active":true}"#
        let users = (0..<count).map { String(format: user, $0, $0) }
        return Data(#"{"page":1,"total":\#(count),"users":[\#(users.joined(separator: ","))]}"#.utf8)
    }
}

/// The same list for a decoder that converts names to camel case.
private struct CamelUserList: Decodable {
    struct User: Decodable {
        var id: Int
        var firstName: String
        var lastName: String
        var email: String
        var isActive: Bool
    }

    var page: Int
    var total: Int
    var users: [User]
}

private struct Event: Decodable {
    var at: Date
    var price: Decimal
}

/// Determines the kind of a value by trying.
private indirect enum AnyJSON: Decodable {
    case null, bool(Bool), number(Double), text(String), list([AnyJSON]), object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if single.decodeNil() {
            self = .null
        } else if let value = try? single.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? single.decode(Double.self) {
            self = .number(value)
        } else if let value = try? single.decode(String.self) {
            self = .text(value)
        } else if let value = try? single.decode([AnyJSON].self) {
            self = .list(value)
        } else {
            self = .object(try single.decode([String: AnyJSON].self))
        }
    }
}
