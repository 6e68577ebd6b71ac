import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct HTTPURLResponseTests {
    @Test func `a response is available as HTTPURLResponse`() throws {
        var headers: HTTPHeaders = ["ETag": "x", "Vary": "a"]
        headers.add("b", for: "vary")
        let request = HTTPRequest(url: API.base)
        let response = HTTPResponse(statusCode: 404, headers: headers, request: request).httpURLResponse
        #expect(response?.statusCode == 404 && response?.url == API.base)
        #expect(response?.value(forHTTPHeaderField: "etag") == "x")
        #expect(response?.value(forHTTPHeaderField: "vary") == "a, b")
    }
}
