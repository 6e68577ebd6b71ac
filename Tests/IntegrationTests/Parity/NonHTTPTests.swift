import Foundation
import Testing

@testable import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct NonHTTPTests {
    /// Answers with a response without a status, like a file or another protocol.
    private final class Statusless: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func startLoading() {
            guard let url = request.url else { return }
            let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 2, textEncodingName: nil)
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("{}".utf8))
            client?.urlProtocolDidFinishLoading(self)
        }
        override func stopLoading() {}
    }

    @Test(arguments: CallStyle.allCases)
    func `a response that is not HTTP is invalid`(style: CallStyle) async throws {
        let session = URLSessionConfiguration.ephemeral
        session.protocolClasses = [Statusless.self]
        let transport = URLSessionTransport(configuration: session)
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        let provider = NetworkProvider<ParityTarget>(configuration: configuration)
        let target = ParityTarget(baseURL: try #require(URL(string: "http://file.test")), wire: transport)
        #expect(await style.start(target, on: provider, as: User.self).error?.kind == .invalidResponse)
    }
}
