import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct HTTPRequestValidationTests {
    static let url = URL(string: "http://localhost/")!

    private func fault(_ request: HTTPRequest) -> NetworkError? {
        do throws(NetworkError) {
            try request.validate()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["", "GE T", "GET\r\nX-Evil: 1", "GET\n", "G(T", "GÉT", "GET\0", "GET /evil HTTP/1.1"])
    func `an invalid method is refused by name`(method: String) {
        let error = fault(HTTPRequest(method: HTTPMethod(rawValue: method), url: Self.url))
        #expect(error?.kind == .invalidRequest)
        #expect(error?.reason.hasPrefix("method") == true)
    }

    @Test(arguments: ["", "X A", "X:Y", "X-A\r\nX-Evil", "X-Ä", "X\0", "X\t", "(X)"])
    func `an invalid header name is refused by name`(name: String) {
        let error = fault(HTTPRequest(url: Self.url, headers: [name: "1"]))
        #expect(error?.kind == .invalidRequest)
        #expect(error?.reason.hasPrefix("header name") == true)
    }

    @Test(arguments: [
        "a\r\nX-Evil: 1", "a\n", "\r", "a\0b", "token\u{0A}", "a\u{1}b", "\u{1B}[31m", "a\u{B}", "\u{7F}",
    ])
    func `a header value with a line break or another control character is refused and not shown`(value: String) {
        let error = fault(HTTPRequest(url: Self.url, headers: ["X-Name": value]))
        #expect(error?.kind == .invalidRequest)
        #expect(error?.reason.contains("X-Name") == true)
        #expect(error?.reason.contains(value) == false)
    }

    @Test(arguments: ["Content-Length", "transfer-encoding", "CONNECTION"])
    func `headers that frame the message cannot be set by hand`(name: String) {
        let error = fault(HTTPRequest(url: Self.url, headers: [name: "1"]))
        #expect(error?.kind == .invalidRequest)
        #expect(error?.reason.lowercased().contains(name.lowercased()) == true)
    }

    @Test(arguments: [
        ("ftp://host/", "scheme"), ("file:///etc/passwd", "scheme"), ("data:text/plain,a", "scheme"),
        ("javascript:alert(1)", "scheme"), ("/path/only", "scheme"), ("http:///nohost", "host"),
        ("http://u:p@host/", "credentials"), ("http://host:0/", "port"), ("http://host:99999/", "port"),
    ])
    func `an address that is not http or https with a host is refused`(text: String, part: String) throws {
        let error = fault(HTTPRequest(url: try #require(URL(string: text))))
        #expect(error?.kind == .invalidRequest)
        #expect(error?.reason.contains(part) == true)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a timeout that is not positive is refused`(timeout: Duration) {
        #expect(fault(HTTPRequest(url: Self.url, timeout: timeout))?.reason.contains("timeout") == true)
    }

    @Test func `a legal request passes`() throws {
        let headers: HTTPHeaders = ["X-Latin": "é", "Host": "example.org", "X-Empty": "", "X-Tab": "a\tb"]
        #expect(fault(HTTPRequest(method: "PURGE", url: Self.url, headers: headers)) == nil)
        #expect(fault(HTTPRequest(url: try #require(URL(string: "HTTPS://[::1]:8080/")))) == nil)
    }
}
