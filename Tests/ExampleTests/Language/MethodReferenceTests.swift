import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct MethodReferenceTests {
    private let request = HTTPRequest(url: URL(fileURLWithPath: "/"))

    @Test(arguments: [
        MethodReferences.interceptor, MethodReferences.interceptorWithoutLabels,
        MethodReferences.interceptorOfOneFunction, MethodReferences.interceptorOfAllFunctions,
    ])
    func `a default interceptor calls the functions that it was given by name`(
        _ interceptor: DefaultInterceptor
    ) async throws {
        let mock = MockTransport(.status(401), ada)
        let provider: NetworkProvider<ReferenceAPI> = makeProvider(mock, [interceptor])
        let user: User = try await provider.request(.page)
        #expect(user.id == 7 && mock.requests.count == 2)
    }

    @Test func `a token source calls a function by name`() async throws {
        let mock = MockTransport(ada)
        let provider: NetworkProvider<ReferenceAPI> = makeProvider(mock, [MethodReferences.source])
        _ = try await provider.send(.page)
        #expect(mock.requests.map { $0.headers["Authorization"] } == ["Bearer t"])
    }

    @Test func `the other references are called, too`() async throws {
        let refreshed = try await MethodReferences.refreshed.value
        let passed = try await MethodReferences.next(request).statusCode
        let sent = try await MethodReferences.context.send(request).statusCode
        #expect(refreshed == 7 && passed == 201 && sent == 201)
        let server = try #require(MethodReferences.server)
        var configuration = NetworkConfiguration()
        configuration.validation = .anyResponse
        let client = HTTPClient(baseURL: server.url, configuration: configuration)
        let served = try await client.send(.get("/")).statusCode
        configuration.transport = MethodReferences.mock
        let mocked = HTTPClient(baseURL: server.url, configuration: configuration)
        let first = try await mocked.send(.get("/")).statusCode
        let second = try await mocked.send(.get("/")).statusCode
        #expect(served == 203 && first == 204 && second == 205)
    }
}

private enum ReferenceAPI: TargetType {
    case page

    var baseURL: URL { api }
    var path: String { "/page" }
}
