import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache

@Suite(.timeLimit(.minutes(5))) struct InvalidationTests {
    private func addresses(
        _ method: HTTPMethod, _ status: Int = 200, _ headers: HTTPHeaders = [:]
    ) -> [String] {
        Invalidation.keys(after: .cached(method: method), statusCode: status, headers: headers).map(\.address)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, "M-SEARCH"])
    func `a successful unsafe method removes the stored response`(method: HTTPMethod) {
        #expect(addresses(method) == ["https://example.com/a"])
        #expect(addresses(method, 302) == ["https://example.com/a"])
        #expect(addresses(method, 404).isEmpty && addresses(method, 500).isEmpty)
    }

    @Test(arguments: [HTTPMethod.get, .head, .options, .trace, .query])
    func `a safe method removes nothing`(method: HTTPMethod) {
        #expect(addresses(method, 200, ["Location": "/b"]).isEmpty)
    }

    @Test(
        arguments: [
            (["Location": "/b"], ["https://example.com/b"]),
            (["Content-Location": "b?c#d"], ["https://example.com/b?c"]),
            (["Location": "https://example.com:443/b"], ["https://example.com/b"]),
            (["Location": "https://other.com/b"], []),
            (["Location": "http://example.com/b"], []), (["Location": "//other.com/b"], []), (["Location": "/a"], []),
            (["Location": "/b", "Content-Location": "/c"], ["https://example.com/b", "https://example.com/c"]),
        ] as [(HTTPHeaders, [String])])
    func `locations of the same origin are removed too`(headers: HTTPHeaders, others: [String]) {
        #expect(addresses(.post, 201, headers) == ["https://example.com/a"] + others)
    }
}
