import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct InjectionTests {
    private struct User: Decodable, Equatable, Sendable { var id: Int }
    private struct Broken: Error, Equatable {}

    /// An app's data source.
    private struct Users {
        let client: any HTTPClientContract
        func user(_ id: Int) async throws(NetworkError) -> User { try await client.request(.get("/users/\(id)")) }
    }

    private struct StubClient: HTTPClientContract {
        func run<Value: Sendable>(
            _ endpoint: Endpoint, _ decoding: ResponseDecoding<Value>, settings: CallSettings
        ) async throws(NetworkError) -> Value {
            let request = HTTPRequest(url: API.base)
            return try decoding.value(
                of: HTTPResponse(statusCode: 200, body: .data(Data(#"{"id": 7}"#.utf8)), request: request))
        }
    }

    private struct StubTransport: Transport {
        var error: Broken?

        func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
            if let error { throw error }
            return HTTPResponse(statusCode: 200, body: .data(Data(#"{"id": 7}"#.utf8)), request: request)
        }
    }

    private final class StubProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func startLoading() {
            guard let url = request.url,
                let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            else { return }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data(#"{"id": 7}"#.utf8))
            client?.urlProtocolDidFinishLoading(self)
        }
        override func stopLoading() {}
    }

    @Test func `a test double can be a client, a transport or a URLProtocol`() async throws {
        let session = URLSessionConfiguration.ephemeral
        session.protocolClasses = [StubProtocol.self]
        let clients: [any HTTPClientContract] = [
            StubClient(), HTTPClient(StubTransport()), HTTPClient(URLSessionTransport(configuration: session)),
        ]
        for client in clients { #expect(try await Users(client: client).user(7) == User(id: 7)) }
    }

    @Test func `an error of a transport reaches the caller unchanged`() async {
        let client = HTTPClient(StubTransport(error: Broken()))
        for style in ClientStyle.allCases {
            let error = await style.outcome(of: .get("/"), on: client, as: User.self).error
            #expect(error?.kind == .transport && error?.underlying is Broken)
        }
    }

    @Test func `a test double with the one requirement has callbacks`() async {
        let result = await withCheckedContinuation { waiter in
            StubClient().request(.get("/"), as: User.self, queue: .global()) { waiter.resume(returning: $0) }
        }
        #expect((try? result.get()) == User(id: 7))
        let bytes = await withCheckedContinuation { waiter in
            StubClient().request(.get("/"), as: Data.self) { waiter.resume(returning: $0) }
        }
        #expect((try? bytes.get())?.isEmpty == false)
    }
}
