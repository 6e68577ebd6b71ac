import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The locations of parameters, and the resulting URL.
@Suite(.timeLimit(.minutes(5))) struct RequestAddressTests {
    private func address(_ target: TestTarget) throws -> String {
        let builder = RequestBuilder(jsonEncoder: JSONEncoder(), queryEncoder: QueryEncoder())
        return try builder.request(for: target, use: .request).url.absoluteString
    }

    @Test func `base, path and parameters are joined exactly`() throws {
        let base = try #require(URL(string: "https://example.com"))
        let task = NetworkTask.requestParameters(parameters: ["key": "value"], encoding: .query)
        #expect(
            try address(TestTarget(baseURL: base, path: "/path", task: task)) == "https://example.com/path?key=value"
        )
    }

    @Test(arguments: [
        ("http://a.test/v1?k=1", "", "http://a.test/v1?k=1"),
        ("http://a.test/v1?k=1", "/x?y=2", "http://a.test/v1/x?k=1&y=2&q=3"),
        ("http://a.test/v1/", "/a%2Fb", "http://a.test/v1/a%2Fb?q=3"),
        ("http://a.test", "https://b.test/c?d=e", "https://b.test/c?d=e&q=3"),
    ])
    func `queries of base, path and task are merged in this order`(base: String, path: String, joined: String) throws {
        let task: NetworkTask =
            path.isEmpty ? .requestPlain : .requestParameters(parameters: ["q": 3], encoding: .query)
        let base = try #require(URL(string: base))
        #expect(try address(TestTarget(baseURL: base, path: path, task: task)) == joined)
    }

    @Test func `reserved characters are escaped in query values`() throws {
        let task = NetworkTask.requestParameters(parameters: ["q": "+&=# ü"], encoding: .query)
        #expect(try address(TestTarget(path: "", task: task)) == "http://api.test/v1?q=%2B%26%3D%23%20%C3%BC")
    }

    @Test(
        arguments: [
            (.get, true), (.head, true), (.delete, true), (.post, false), (.put, false), (.patch, false),
        ] as [(HTTPMethod, Bool)])
    func `automatic parameters follow the method`(method: HTTPMethod, isQuery: Bool) throws {
        let task = NetworkTask.requestParameters(parameters: ["a": 1], encoding: .automatic)
        let request = try RequestBuilder(jsonEncoder: JSONEncoder(), queryEncoder: QueryEncoder())
            .request(for: TestTarget(method: method, task: task), use: .request)
        #expect(request.url.query == (isQuery ? "a=1" : nil))
        #expect(request.body.data == (isQuery ? nil : Data(#"{"a":1}"#.utf8)))
    }

    @Test func `the encoders of the configuration are used`() throws {
        struct Value: Encodable, Sendable { var firstName = "Ann" }
        let provider = NetworkProvider<TestTarget>(MockTransport()) {
            $0.encoder.keyEncodingStrategy = .convertToSnakeCase
            $0.queryEncoder.keys = .kebabCase
        }
        let body = try provider.urlRequest(for: TestTarget(method: .post, task: .requestJSONEncodable(Value())))
        #expect(body.httpBody == Data(#"{"first_name":"Ann"}"#.utf8))
        let query = try provider.urlRequest(for: TestTarget(task: .requestParameterEncodable(Value())))
        #expect(query.url?.query == "first-name=Ann")
    }
}
