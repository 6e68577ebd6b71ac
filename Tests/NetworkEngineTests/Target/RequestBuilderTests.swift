import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

/// The requests for all tasks, without sending them.
@Suite(.timeLimit(.minutes(5))) struct RequestBuilderTests {
    private struct Name: Encodable, Sendable { var firstName = "Ann" }

    private func build(
        _ target: TestTarget,
        for use: RequestBuilder.Use = .request,
        encoder: JSONEncoder = JSONEncoder()
    ) throws(NetworkError) -> HTTPRequest {
        try RequestBuilder(jsonEncoder: encoder, queryEncoder: QueryEncoder()).request(for: target, use: use)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let task: NetworkTask
        var query: String?
        var body: String?
        var type: String?

        init(_ name: String, _ task: NetworkTask, query: String? = nil, body: String? = nil, type: String? = nil) {
            testDescription = name
            self.task = task
            self.query = query
            self.body = body
            self.type = type
        }
    }

    private static let form = "application/x-www-form-urlencoded; charset=utf-8"
    private static let snakeCase: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }()

    /// The cases without files.
    static let rows = [
        Row("plain", .requestPlain),
        Row("data", .requestData(Data("raw".utf8)), body: "raw"),
        Row("JSON", .requestJSONEncodable(Name()), body: #"{"firstName":"Ann"}"#, type: "application/json"),
        Row(
            "JSON by an encoder", .requestCustomJSONEncodable(Name(), encoder: snakeCase),
            body: #"{"first_name":"Ann"}"#, type: "application/json"
        ),
        Row("encodable query", .requestParameterEncodable(Name()), query: "firstName=Ann"),
        Row("query", .requestParameters(parameters: ["b": 2, "a": "x y"], encoding: .query), query: "a=x%20y&b=2"),
        Row(
            "form", .requestParameters(parameters: ["a": "x&y", "b": 2], encoding: .formBody),
            body: "a=x%26y&b=2", type: form
        ),
        Row(
            "JSON parameters", .requestParameters(parameters: ["b": 2, "a": true], encoding: .json),
            body: #"{"a":true,"b":2}"#, type: "application/json"
        ),
        Row(
            "data and query", .requestCompositeData(bodyData: Data("raw".utf8), urlParameters: ["a": 1]),
            query: "a=1", body: "raw"
        ),
        Row(
            "form and query", .requestCompositeParameters(bodyParameters: ["b": 2], urlParameters: ["a": 1]),
            query: "a=1", body: "b=2", type: form
        ),
    ]

    @Test(arguments: rows, ["GET", "POST", "DELETE", "QUERY"] as [HTTPMethod])
    func `a task decides on query, body and content type for every method`(
        _ row: Row, _ method: HTTPMethod
    ) throws {
        let request = try build(TestTarget(method: method, task: row.task))
        #expect(request.method == method)
        #expect(request.url.absoluteString == "http://api.test/v1/things" + (row.query.map { "?" + $0 } ?? ""))
        #expect(request.body.data == row.body.map { Data($0.utf8) })
        #expect(request.headers["Content-Type"] == row.type)
    }

    @Test(arguments: rows)
    func `the target's own content type wins`(_ row: Row) throws {
        let request = try build(TestTarget(task: row.task, headers: ["content-type": "application/vnd.own+json"]))
        #expect(request.headers.values(for: "Content-Type") == ["application/vnd.own+json"])
    }

    @Test func `a file is the body unchanged, with a type from its extension`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("photo.png", "pixels")
        let request = try build(TestTarget(method: .put, task: .uploadFile(file)), for: .upload)
        guard case .file(file) = request.body else { throw Wrong(request.body) }
        #expect(request.headers["Content-Type"] == "image/png")
    }

    @Test func `a symbolic link is uploaded as the file that it leads to, and not to a folder or to nothing`() throws {
        let folder = try TemporaryFolder()
        func link(_ name: String, to target: URL) throws -> URL {
            let link = folder.url.appendingPathComponent(name)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            return link
        }
        let file = try link("photo.png", to: try folder.file("7f3a", "pixels"))
        let request = try build(TestTarget(method: .put, task: .uploadFile(file)), for: .upload)
        guard case .file(file) = request.body else { throw Wrong(request.body) }
        #expect(request.headers["Content-Type"] == "image/png")
        for target in [folder.url, folder.url.appendingPathComponent("missing")] {
            let link = try link("link-\(UUID())", to: target)
            let error = #expect(throws: NetworkError.self) {
                try build(TestTarget(method: .put, task: .uploadFile(link)), for: .upload)
            }
            #expect(error?.kind == .invalidRequest)
        }
    }

    @Test(arguments: [[:], ["a": 1]] as [Parameters])
    func `parts become a form with a boundary of its own`(_ parameters: Parameters) throws {
        let parts = [MultipartFormData(provider: .data(Data("Ann".utf8)), name: "name")]
        let task: NetworkTask =
            parameters.isEmpty ? .uploadMultipart(parts) : .uploadCompositeMultipart(parts, urlParameters: parameters)
        let request = try build(TestTarget(method: .post, task: task), for: .upload)
        let type = try #require(request.headers["Content-Type"])
        let boundary = try #require(type.components(separatedBy: "boundary=").last)
        let field = "Content-Disposition: form-data; name=\"name\"\r\n\r\nAnn"
        #expect(type == "multipart/form-data; boundary=\(boundary)")
        #expect(request.body.data == Data("--\(boundary)\r\n\(field)\r\n--\(boundary)--\r\n".utf8))
        #expect(request.url.query == (parameters.isEmpty ? nil : "a=1"))
    }

    @Test(arguments: [
        ("application/json", "multipart/form-data; boundary=B"), ("", "multipart/form-data; boundary=B"),
        ("multipart/form-data", "multipart/form-data; boundary=B"),
        ("Multipart/Form-Data;charset=utf-8", "Multipart/Form-Data; charset=utf-8; boundary=B"),
        (#"multipart/related; Boundary ="x;y"; type="a;\"b""#, #"multipart/related; type="a;\"b"; boundary=B"#),
        (#"multipart/mixed; type="a"#, "multipart/form-data; boundary=B"),
        ("multipart/; a=b", "multipart/form-data; boundary=B"),
    ])
    func `a form has a multipart type with the boundary of its body`(_ own: String, _ sent: String) throws {
        let parts = [MultipartFormData(provider: .data(Data("Ann".utf8)), name: "name")]
        let target = TestTarget(method: .post, task: .uploadMultipart(parts), headers: ["content-type": own])
        let request = try build(target, for: .upload)
        let body = String(decoding: request.body.data ?? Data(), as: UTF8.self)
        let boundary = String(body.dropFirst(2).prefix { $0 != "\r\n" })
        #expect(
            request.headers.values(for: "Content-Type") == [sent.replacing("boundary=B", with: "boundary=\(boundary)")])
    }

    @Test func `a download sends nothing, or its parameters`() throws {
        let plain = try build(TestTarget(task: .downloadDestination(.temporary)), for: .download)
        #expect(plain.body.isAbsent && plain.url.query == nil)
        let task = NetworkTask.downloadParameters(parameters: ["a": 1], encoding: .query, destination: .temporary)
        #expect(try build(TestTarget(task: task), for: .download).url.query == "a=1")
    }

    private static let bare: QueryEncoder = {
        var encoder = QueryEncoder()
        encoder.arrays = .noBrackets
        return encoder
    }()

    @Test(arguments: [.query, .automatic] as [any ParameterEncoding])
    func `an encoding without an encoder of its own writes queries with that of the configuration`(
        _ encoding: any ParameterEncoding
    ) throws {
        let builder = RequestBuilder(jsonEncoder: JSONEncoder(), queryEncoder: Self.bare)
        let task = NetworkTask.requestParameters(parameters: ["a": [1, 2]], encoding: encoding)
        #expect(try builder.request(for: TestTarget(task: task), use: .request).url.query == "a=1&a=2")
        let download = NetworkTask.downloadParameters(
            parameters: ["a": [1, 2]], encoding: encoding, destination: .temporary)
        #expect(try builder.request(for: TestTarget(task: download), use: .download).url.query == "a=1&a=2")
    }

    @Test func `the query of an automatic encoding's body is written by the encoder of the configuration`() throws {
        let builder = RequestBuilder(jsonEncoder: JSONEncoder(), queryEncoder: Self.bare)
        let encoding = AutomaticParameterEncoding(body: .query)
        let task = NetworkTask.requestParameters(parameters: ["a": [1, 2]], encoding: encoding)
        #expect(try builder.request(for: TestTarget(method: .post, task: task), use: .request).url.query == "a=1&a=2")
    }

    private static var changed: QueryParameterEncoding {
        var encoding = QueryParameterEncoding.query
        encoding.encoder.bools = .literal
        return encoding
    }

    @Test(
        arguments: [
            .query(QueryEncoder()), QueryParameterEncoding(), changed,
            AutomaticParameterEncoding(query: .query(QueryEncoder())),
        ] as [any ParameterEncoding])
    func `an encoding with an encoder of its own keeps it`(_ encoding: any ParameterEncoding) throws {
        let builder = RequestBuilder(jsonEncoder: JSONEncoder(), queryEncoder: Self.bare)
        let task = NetworkTask.requestParameters(parameters: ["a": [1, 2]], encoding: encoding)
        let query = try builder.request(for: TestTarget(task: task), use: .request).url.query
        #expect(query == "a%5B%5D=1&a%5B%5D=2")
    }

    @Test func `a form is not written by the encoder for queries`() throws {
        let builder = RequestBuilder(jsonEncoder: JSONEncoder(), queryEncoder: Self.bare)
        let task = NetworkTask.requestParameters(parameters: ["a": [1, 2]], encoding: .formBody)
        let body = try builder.request(for: TestTarget(method: .post, task: task), use: .request).body.data
        #expect(body == Data("a%5B%5D=1&a%5B%5D=2".utf8))
    }

    @Test func `headers and timeout are the target's`() throws {
        let request = try build(TestTarget(headers: ["X-One": "1"], timeout: .seconds(7)))
        #expect(request.headers == ["X-One": "1"])
        #expect(request.timeout == .seconds(7))
    }
}

/// A precondition of a test isn't met.
struct Wrong: Error {
    let what: String
    init(_ what: Any) { self.what = "\(what)" }
}
