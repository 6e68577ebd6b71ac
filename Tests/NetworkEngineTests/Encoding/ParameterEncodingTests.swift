import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5)))
struct ParameterEncodingTests {
    /// Has the same parameters as a task's case, to show the call syntax.
    enum Task: Sendable {
        case requestParameters(parameters: Parameters, encoding: any ParameterEncoding)

        func request(_ method: HTTPMethod, _ address: String = "https://e.com/x") throws -> HTTPRequest {
            let url = try #require(URL(string: address))
            switch self {
            case .requestParameters(let parameters, let encoding):
                return try encoding.encode(parameters, into: HTTPRequest(method: method, url: url))
            }
        }
    }

    static let bodies: [any ParameterEncoding] = [.json, .formBody]
    static let methods: [HTTPMethod] = [.get, .head, .delete, .post, .put, .patch, .options, "PURGE"]

    @Test(arguments: methods)
    func `.query writes to the query for every method`(_ method: HTTPMethod) throws {
        let request = try Task.requestParameters(parameters: ["page": 1], encoding: .query).request(method)
        #expect(request.url.absoluteString == "https://e.com/x?page=1")
        #expect(request.body.isAbsent && request.headers.isEmpty)
    }

    @Test func `.query keeps the existing query and adds nothing for no parameters`() throws {
        let some = try Task.requestParameters(parameters: ["b": "+"], encoding: .query).request(
            .get, "https://e.com?a=%2B")
        #expect(some.url.absoluteString == "https://e.com?a=%2B&b=%2B")
        let none = try Task.requestParameters(parameters: [:], encoding: .query).request(.get)
        #expect(none.url.absoluteString == "https://e.com/x")
    }

    @Test func `.formBody writes a form and its content type`() throws {
        let parameters: Parameters = ["b": [1, 2], "a": "x y+&=~🙂", "n": Int?.none]
        let request = try Task.requestParameters(parameters: parameters, encoding: .formBody).request(.post)
        #expect(request.body.text == "a=x%20y%2B%26%3D~%F0%9F%99%82&b%5B%5D=1&b%5B%5D=2")
        #expect(request.headers["content-type"] == "application/x-www-form-urlencoded; charset=utf-8")
        #expect(request.url.absoluteString == "https://e.com/x")
    }

    @Test func `.json encodes one object with every kind of value`() throws {
        let parameters: Parameters = [
            "s": "a/\"b\"", "i": -1, "u": UInt64.max, "d": 1.5, "f": Float(0.1), "t": true, "m": Decimal(string: "0.1"),
            "n": NSNull(), "o": Int?.none, "w": Date(timeIntervalSince1970: 0), "b": Data([1, 2]),
            "l": [1, "x", [] as [Int]] as [any Sendable], "k": ["y": 1, "x": Int?.none] as Parameters,
            "e": QueryEncoderTests.Point(),
        ]
        let request = try Task.requestParameters(parameters: parameters, encoding: .json).request(.post)
        #expect(
            request.body.text == """
                {"b":"AQI=","d":1.5,"e":{"x":1,"y":2},"f":0.1,"i":-1,"k":{"x":null,"y":1},"l":[1,"x",[]],"m":0.1,"n":null,\
                "o":null,"s":"a/\\"b\\"","t":true,"u":18446744073709551615,"w":"1970-01-01T00:00:00Z"}
                """
        )
        #expect(request.headers["content-type"] == "application/json")
        #expect(try Task.requestParameters(parameters: [:], encoding: .json).request(.post).body.text == "{}")
    }

    @Test(arguments: QueryEncoderTests.rejected)
    func `a value that cannot be JSON is an error that names it`(_ row: QueryEncoderTests.Rejected) {
        guard !row.words.contains("deeper than 64") || row.parameters["deep"] != nil else { return }
        let error = #expect(throws: NetworkError.self) {
            try Task.requestParameters(parameters: row.parameters, encoding: .json).request(.post)
        }
        #expect(error?.kind == .encoding)
        #expect(row.words.allSatisfy { error?.reason.contains($0) == true }, "\(error?.reason ?? "")")
    }

    @Test(arguments: methods)
    func `.automatic is the query for GET, HEAD and DELETE, and JSON otherwise`(_ method: HTTPMethod) throws {
        let request = try Task.requestParameters(parameters: ["key": "value"], encoding: .automatic).request(method)
        if [.get, .head, .delete].contains(method) {
            #expect(request.url.query == "key=value" && request.body.isAbsent)
        } else {
            #expect(request.url.query == nil && request.body.text == #"{"key":"value"}"#)
        }
    }

    @Test(arguments: bodies)
    func `a content type that is set by hand stays`(_ encoding: any ParameterEncoding) throws {
        let url = try #require(URL(string: "https://e.com"))
        let request = HTTPRequest(method: .post, url: url, headers: ["content-TYPE": "application/vnd.api+json"])
        let encoded = try encoding.encode(["a": 1], into: request)
        #expect(encoded.headers.values(for: "Content-Type") == ["application/vnd.api+json"])
    }

    @Test(arguments: bodies)
    func `an existing body is not dropped silently`(_ encoding: any ParameterEncoding) throws {
        let url = try #require(URL(string: "https://e.com"))
        let request = HTTPRequest(method: .post, url: url, body: .data(Data("x".utf8)))
        let error = #expect(throws: NetworkError.self) { try encoding.encode(["a": 1], into: request) }
        #expect(error?.kind == .invalidRequest)
    }

    @Test func `each encoding accepts a custom encoder`() throws {
        var encoder = QueryEncoder()
        encoder.spaces = .plus
        let json = JSONEncoder()
        json.keyEncodingStrategy = .convertToSnakeCase
        json.dateEncodingStrategy = .secondsSince1970
        let parameters: Parameters = ["userName": "a b"]
        #expect(
            try Task.requestParameters(parameters: parameters, encoding: .query(encoder)).request(.get).url.query
                == "userName=a+b"
        )
        #expect(
            try Task.requestParameters(parameters: parameters, encoding: .formBody(encoder)).request(.put).body.text
                == "userName=a+b"
        )
        #expect(
            try Task.requestParameters(parameters: parameters, encoding: .json(json)).request(.put).body.text
                == #"{"user_name":"a b"}"#
        )
        let date: Parameters = ["d": Date(timeIntervalSince1970: 5)]
        #expect(
            try Task.requestParameters(parameters: date, encoding: .json(json)).request(.put).body.text == #"{"d":5}"#)
        let automatic = AutomaticParameterEncoding(body: .formBody)
        #expect(try Task.requestParameters(parameters: ["a": 1], encoding: automatic).request(.post).body.text == "a=1")
    }
}

extension RequestBody {
    fileprivate var text: String? { data.map { String(decoding: $0, as: UTF8.self) } }
}
