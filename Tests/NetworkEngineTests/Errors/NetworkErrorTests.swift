import Foundation
import Testing

@testable import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct NetworkErrorTests {
    static let request = HTTPRequest(
        method: .post,
        url: URL(string: "https://api.example.com/login?page=2&access_token=s3cret&q=a")!,
        headers: ["Authorization": "Bearer s3cret", "Cookie": "id=s3cret"],
        body: .data(Data("password=s3cret".utf8))
    )

    private static func error(_ body: String = "s3cret body") -> NetworkError {
        let response = HTTPResponse(
            statusCode: 404,
            headers: ["Set-Cookie": "id=s3cret", "Content-Type": "text/plain"],
            body: .data(Data(body.utf8)),
            request: request
        )
        return NetworkError(kind: .status, reason: "status 404 is not in 200..<300", response: response)
    }

    @Test func `the description names the problem and the request`() {
        let text = Self.error().description
        #expect(text.contains("status 404"))
        #expect(text.contains("POST https://api.example.com/login"))
        #expect(text.contains("page=2"))
        #expect("\(Self.error())" == text)
    }

    @Test func `no printed form of an error shows a body or a secret`() {
        let error = Self.error()
        var dumped = ""
        dump(error, to: &dumped)
        let texts =
            [error.description, error.debugDescription, "\(error)", String(reflecting: error), dumped]
            + [String(describing: error.request), String(reflecting: error.response as Any)]
        for text in texts { #expect(!text.contains("s3cret"), "\(text)") }
    }

    @Test func `a foreign cause is shown with type and code, not with its text`() {
        struct Leak: Error, CustomStringConvertible { var description: String { "s3cret" } }
        let error = NetworkError(kind: .interceptor, reason: "adapt of A threw Leak", underlying: Leak())
        #expect(!error.description.contains("s3cret"))
        #expect(error.description.contains("Leak"))
    }

    @Test func `a kind is a pattern for the errors of this kind`() {
        func name(_ kind: NetworkErrorKind) -> String {
            do throws(NetworkError) {
                throw NetworkError(kind: kind, reason: "")
            } catch .cancelled {
                return "canceled"
            } catch {
                return switch error {
                case .offline, .timeout: "later"
                default: "other"
                }
            }
        }
        #expect([.cancelled, .offline, .timeout, .tls].map(name) == ["canceled", "later", "later", "other"])
    }

    @Test func `equality includes the body`() {
        #expect(Self.error("a") == Self.error("a"))
        #expect(Self.error("a") != Self.error("b"))
    }

    @Test func `equality sees kind, reason, failure, request, cause and attempts`() {
        let base = NetworkError(kind: .connection, reason: "r", transportFailure: .dns, request: Self.request)
        let others = [
            NetworkError(kind: .timeout, reason: "r", transportFailure: .dns, request: Self.request),
            NetworkError(kind: .connection, reason: "s", transportFailure: .dns, request: Self.request),
            NetworkError(kind: .connection, reason: "r", transportFailure: .connect, request: Self.request),
            NetworkError(kind: .connection, reason: "r", transportFailure: .dns),
            NetworkError(
                kind: .connection, reason: "r", transportFailure: .dns, request: Self.request, underlying: base),
            NetworkError(
                kind: .connection,
                reason: "r",
                transportFailure: .dns,
                request: Self.request,
                attempts: [Attempt(number: 1, request: "GET /", kind: .connection)]
            ),
        ]
        #expect(base == NetworkError(kind: .connection, reason: "r", transportFailure: .dns, request: Self.request))
        for other in others { #expect(base != other) }
    }

    @Test(arguments: [
        (400, StatusName.badRequest), (401, .unauthorized), (403, .forbidden), (404, .notFound), (500, .serverError),
    ])
    func `the usual statuses have names`(code: Int, name: StatusName) {
        let response = HTTPResponse(statusCode: code, request: Self.request)
        #expect(NetworkError(kind: .status, response: response).statusName == name)
    }

    @Test(arguments: [418, 499, 599, 600, 999])
    func `every other status keeps its number`(code: Int) {
        let error = NetworkError(kind: .status, response: HTTPResponse(statusCode: code, request: Self.request))
        #expect(error.statusName == nil)
        #expect(error.statusCode == code)
    }

    @Test func `a URLRequest is converted to a request and back`() throws {
        var prepared = Self.request.urlRequest
        prepared.timeoutInterval = 7.5
        let request = try HTTPRequest(prepared)
        #expect(request.method == .post)
        #expect(request.url == Self.request.url)
        #expect(request.headers["authorization"] == "Bearer s3cret")
        #expect(request.body.data == Self.request.body.data)
        #expect(request.timeout == .seconds(7.5))
        #expect(request.urlRequest.httpBody == prepared.httpBody)
    }

    @Test func `the cookies of a URLRequest are joined by semicolons, and the values of other fields by commas`() {
        var request = HTTPRequest(url: Self.request.url, headers: ["Cookie": "a=1", "Accept": "text/plain"])
        request.headers.add("b=2", for: "cookie")
        request.headers.add("text/html", for: "accept")
        #expect(request.urlRequest.value(forHTTPHeaderField: "Cookie") == "a=1; b=2")
        #expect(request.urlRequest.value(forHTTPHeaderField: "Accept") == "text/plain, text/html")
    }
}
