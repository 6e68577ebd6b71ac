import Foundation
import NetworkEngineGraphQL
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct UploadTests {
    @Test(arguments: [
        ("variables.file", #"{"query":"m","variables":{"file":null}}"#),
        ("variables.user.photo", #"{"query":"m","variables":{"user":{"photo":null}}}"#),
        ("variables.list.1", #"{"query":"m","variables":{"list":[1,null]}}"#),
        ("variables.list.2.x", #"{"query":"m","variables":{"list":[1,2,{"x":null}]}}"#),
    ])
    func `the operation has null for each file, and the map names it`(path: String, operations: String)
        async throws
    {
        let mock = MockTransport(.json(#"{"data": {}}"#))
        let variables: [String: GraphQLVariable]? =
            path.contains("list") ? ["list": path.hasSuffix("x") ? [1, 2, nil] : [1, 2]] : nil
        let upload = GraphQLUpload(path, .data(Data("bytes".utf8)), mimeType: "text/x")
        let operation = GraphQLOperation(document: "m", variables: variables)
        let _: EmptyBody = try await GraphQLClient(mock).execute(operation, uploads: [upload])
        let body = String(decoding: try #require(mock.requests.first?.body.data), as: UTF8.self)
        #expect(body.contains("name=\"operations\"\r\n\r\n\(operations)\r\n"))
        #expect(body.contains("name=\"map\"\r\n\r\n{\"0\":[\"\(path)\"]}\r\n"))
        #expect(body.contains("name=\"0\"; filename=\"file\"\r\nContent-Type: text/x\r\n\r\nbytes\r\n"))
    }

    @Test(arguments: [
        "file", "variables", "variables.", "variables.list.7", "variables.list.x", "variables.list.0.x",
        "variables.new.0",
        "0.variables.file", "",
    ])
    func `a missing variable of the operation is named before I/O`(path: String) async {
        let mock = MockTransport()
        let operation = GraphQLOperation(document: "m", variables: ["list": [1, 2]])
        let error = await #expect(throws: GraphQLError.self) {
            let _: EmptyBody = try await GraphQLClient(mock)
                .execute(operation, uploads: [GraphQLUpload(path, .data(Data()))])
        }
        #expect(error?.kind == .encodingFailed && mock.requests.isEmpty)
        #expect(error?.networkError?.reason.contains("\"\(path)\"") == true)
    }

    @Test(arguments: [
        ("variables.p", "variables.p"), ("variables.p", "variables.p.q"), ("variables.p.q.r", "variables.p.q"),
    ])
    func `two files in one place are an error before I/O`(first: String, second: String) async {
        let mock = MockTransport()
        let uploads = [first, second].map { GraphQLUpload($0, .data(Data())) }
        let error = await #expect(throws: GraphQLError.self) {
            let _: EmptyBody = try await GraphQLClient(mock)
                .execute(GraphQLOperation(document: "m"), uploads: uploads)
        }
        #expect(error?.kind == .encodingFailed && mock.requests.isEmpty)
        #expect(error?.networkError?.reason.contains("\"\(second)\"") == true)
    }

    @Test func `a mock answers an operation with files`() async throws {
        let mock = GraphQLClientMock(.value(7))
        let operation = GraphQLOperation(document: "m")
        let upload = GraphQLUpload("variables.file", .data(Data()))
        let contract: any GraphQLClientContract = mock
        #expect(try await contract.execute(operation, uploads: [upload]) == 7)
        #expect(mock.operations.map(\.uploads) == [[upload]] && mock.operations.map(\.document) == ["m"])
    }

    @Test func `the bytes of a file are in the body, under its name`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString).txt")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try LoopbackServer { _ in .json(#"{"data": {}}"#) }
        let client = GraphQLClient(httpClient: HTTPClient(baseURL: server.url))
        let upload = GraphQLUpload("variables.file", .file(file))
        let _: EmptyBody = try await client.execute(GraphQLOperation(document: "m"), uploads: [upload])
        let body = try #require(server.requests.first?.text)
        #expect(body.contains("name=\"0\"; filename=\"\(file.lastPathComponent)\"\r\n"))
        #expect(body.contains("\r\n\r\nfrom a file\r\n--"))
    }

    @Test func `a missing file fails before I/O`() async {
        let mock = MockTransport()
        let upload = GraphQLUpload("variables.file", .file(URL(fileURLWithPath: "/nowhere/at/all")))
        let error = await #expect(throws: GraphQLError.self) {
            let _: EmptyBody = try await GraphQLClient(mock).execute(GraphQLOperation(document: "m"), uploads: [upload])
        }
        #expect(error?.kind == .encodingFailed && mock.requests.isEmpty)
    }
}
