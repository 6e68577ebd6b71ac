import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The parameters of endpoints. The configuration's encoder encodes them like those of targets.
@Suite(.timeLimit(.minutes(5))) struct EndpointQueryTests {
    private enum Order: String { case newest = "new est" }
    private enum Size: Int, Encodable { case large = 3 }
    private struct Filter: Encodable, Sendable {
        var maxPrice: Double? = 9.5
        var (tags, since) = (["a"], EndpointQueryTests.date)
    }
    private struct Version: LosslessStringConvertible, Sendable {
        var description = "1.2"
        init() {}
        init?(_ description: String) { self.description = description }
    }
    private struct Opaque: Sendable {}
    private struct Search: TargetType {
        var parameters: Parameters
        var baseURL: URL { API.base }
        var path: String { "/x" }
        var task: NetworkTask { .requestParameters(parameters: parameters, encoding: .query) }
    }

    private static let date = Date(timeIntervalSince1970: 0.25)
    private static let values: [(name: String, value: any Sendable, query: String)] = [
        ("array", [1, 2, 3], "userIDs%5B%5D=1&userIDs%5B%5D=2&userIDs%5B%5D=3"), ("empty array", [Int](), ""),
        ("Boolean", true, "userIDs=1"), ("date", Date(timeIntervalSince1970: 0), "userIDs=1970-01-01T00%3A00%3A00Z"),
        ("data", Data("hi".utf8), "userIDs=aGk%3D"), ("URL", API.base, "userIDs=http%3A%2F%2Fapi.test%2Fv1"),
        ("set", Set(["k", "a", "z"]), "userIDs%5B%5D=a&userIDs%5B%5D=k&userIDs%5B%5D=z"),
        ("decimal", Decimal(1.25), "userIDs=1.25"), ("float", Float(0.1), "userIDs=0.1"),
        ("slice", "abc".dropFirst(), "userIDs=bc"), ("character", Character("é"), "userIDs=%C3%A9"),
        ("raw value", Order.newest, "userIDs=new%20est"), ("encodable raw value", Size.large, "userIDs=3"),
        ("text of a value", Version(), "userIDs=1.2"), ("nested", ["b": ["c": 1]], "userIDs%5Bb%5D%5Bc%5D=1"),
        ("optional", Optional(7), "userIDs=7"), ("nil", Int?.none, ""), ("null", NSNull(), ""),
        ("array of optionals", [1, nil], "userIDs%5B%5D=1"), ("large", UInt64.max, "userIDs=18446744073709551615"),
        (
            "encodable", Filter(),
            "userIDs%5BmaxPrice%5D=9.5&userIDs%5Bsince%5D=1970-01-01T00%3A00%3A00Z&userIDs%5Btags%5D%5B%5D=a"
        ),
    ]

    private func query(
        _ endpoint: Endpoint, _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) async throws -> String {
        let mock = MockTransport(.status(200))
        try await HTTPClient(mock, [], change).send(endpoint)
        return try #require(mock.requests.first).url.query(percentEncoded: true) ?? ""
    }

    @Test(arguments: values)
    func `a value has the text of a target's parameter, wherever it is written`(
        name: String, value: any Sendable, expected: String
    ) async throws {
        let uses: [@Sendable (inout NetworkConfiguration) -> Void] = [
            { _ in },
            { configuration in
                var encoder = QueryEncoder()
                (encoder.arrays, encoder.bools, encoder.dates) = (.noBrackets, .literal, .secondsSince1970)
                (encoder.keys, encoder.keyPaths, encoder.nils) = (.snakeCase, .dots, .asNull)
                (encoder.spaces, encoder.blobs, encoder.unescapedCharacters) = (.plus, .deferredToData, ["/", ":"])
                configuration.queryEncoder = encoder
            },
        ]
        #expect(try await query(.get("/x", query: ["userIDs": value])) == expected)
        for change in uses {
            var configuration = NetworkConfiguration()
            change(&configuration)
            let provider = NetworkProvider<Search>(configuration: configuration)
            let wanted = try provider.urlRequest(for: Search(parameters: ["userIDs": value])).url?.query
            #expect(try await query(.get("/x", query: ["userIDs": value]), change) == wanted ?? "")
            #expect(try await query(.delete("/x").query("userIDs", value), change) == wanted ?? "")
        }
    }

    @Test func `a literal can have values of all types, and nil is left out`() async throws {
        let absent: String? = nil
        let endpoint = Endpoint.get(
            "/users",
            query: [
                "page": 2, "sort": "name", "active": true, "ids": [1, 2, 3], "since": Date(timeIntervalSince1970: 0),
                "q": nil, "absent": absent, "page": 3,
            ])
        let expected = "page=2&sort=name&active=1&ids%5B%5D=1&ids%5B%5D=2&ids%5B%5D=3&since=1970-01-01T00%3A00%3A00Z"
        #expect(try await query(endpoint.query("r", nil).query("s", absent)) == expected + "&page=3")
    }

    @Test func `a dictionary is added in the order of its names`() async throws {
        let (parameters, texts): (Parameters, [String: String]) = (
            ["b": [1], "a": true, "c": NSNull()], ["e": "1", "d": "2"]
        )
        #expect(try await query(.get("/x", query: ["z": 0]).query(parameters)) == "z=0&a=1&b%5B%5D=1")
        #expect(try await query(.get("/x").query(texts).query(["g": 1, "f": "x"])) == "d=2&e=1&f=x&g=1")
    }

    @Test func `parameters follow the query of the path, and items follow parameters`() async throws {
        let items = [URLQueryItem(name: "a b", value: "é"), URLQueryItem(name: "flag", value: nil)]
        let endpoint = Endpoint(path: "/x?z=1", queryItems: items).query("b", 2).query("a", 3)
        #expect(try await query(endpoint) { $0.queryEncoder.keys = .uppercased } == "z=1&B=2&A=3&a%20b=%C3%A9&flag")
        #expect(try await query(Endpoint(path: "/x?z=1", queryItems: []).query("b", nil)) == "z=1")
        #expect(endpoint.queryItems == items)
    }

    @Test(arguments: [Opaque(), [Opaque()], ["a": Opaque()], Double.nan, Date.distantFuture + 1e12] as [any Sendable])
    func `a value that cannot be encoded fails the call before anything is sent`(value: any Sendable) async {
        let mock = MockTransport()
        for endpoint in [Endpoint.get("/x", query: ["user": value]), .post("/x").query("user", value)] {
            let error = await #expect(throws: NetworkError.self) { try await HTTPClient(mock).send(endpoint) }
            #expect(error?.kind == .encoding && error?.reason.contains("parameter \"user") == true)
            #expect(throws: NetworkError.self) { try HTTPClient(mock).urlRequest(for: endpoint) }
            #expect(Set([endpoint, endpoint]).count == 1)
        }
        #expect(mock.requests.isEmpty)
    }

    @Test func `endpoints are equal if no encoder tells their parameters apart`() {
        let values: [any Sendable] = [
            1, "a", true, "true", Self.date, Date(timeIntervalSince1970: 0), Data("a".utf8), [1], Set([1, 2]),
            ["a": 1, "b": 2], Filter(), Opaque(),
        ]
        for (index, value) in values.enumerated() {
            let endpoint = Endpoint.get("/x", query: ["a": value])
            #expect(values.indices.filter { Endpoint.get("/x").query("a", values[$0]) == endpoint } == [index])
            #expect(endpoint != .get("/x", query: ["b": value]) && endpoint != .get("/x"))
        }
        #expect(Endpoint.get("/x", query: ["a": 1, "b": 2]) != .get("/x", query: ["b": 2, "a": 1]))
        let equal = [Set([1, 2, 3]), Set([3, 2, 1])].map { Endpoint.get("/x", query: ["a": $0]) }
        #expect(Set(equal).count == 1)
    }
}
