import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct UploadTests {
    @Test(arguments: [
        ("variables.file", #"{"query":"m","variables":{"file":null}}"#),
        ("variables.user.photo", #"{"query":"m","variables":{"user":{"photo":null}}}"#),
        ("variables.list.1", #"{"query":"m","variables":{"list":[1,null]}}"#),
        ("variables.list.7", #"{"query":"m","variables":{"list":[1,2]}}"#),
        ("variables.list.0.x", #"{"query":"m","variables":{"list":[{"x":null},2]}}"#),
    ])
    func `the operation has null where a file belongs, the map says which`(path: String, operations: String)
        async throws
    {
        let mock = MockTransport(.json(#"{"data": {}}"#))
        let variables: [String: GraphQLVariable]? = path.contains("list") ? ["list": [1, 2]] : nil
        let upload = GraphQLUpload(path, .data(Data("bytes".utf8)), mimeType: "text/x")
        let operation = GraphQLOperation(document: "m", variables: variables)
        let _: Empty = try await GraphQLClient(mock).execute(operation, uploads: [upload])
        let body = String(decoding: try #require(mock.requests.first?.body.data), as: UTF8.self)
        #expect(body.contains("name=\"operations\"\r\n\r\n\(operations)\r\n"))
        #expect(body.contains("name=\"map\"\r\n\r\n{\"0\":[\"\(path)\"]}\r\n"))
        #expect(body.contains("name=\"0\"; filename=\"file\"\r\nContent-Type: text/x\r\n\r\nbytes\r\n"))
    }

    @Test func `a file that is not there fails before I/O`() async {
        let mock = MockTransport()
        let upload = GraphQLUpload("variables.file", .file(URL(fileURLWithPath: "/nowhere/at/all")))
        let error = await #expect(throws: GraphQLError.self) {
            let _: Empty = try await GraphQLClient(mock).execute(GraphQLOperation(document: "m"), uploads: [upload])
        }
        #expect(error?.kind == .encodingFailed && mock.requests.isEmpty)
    }
}
