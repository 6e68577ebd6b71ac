import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Puts a known secret into each part of a call, and searches for it in all output.
@Suite(.timeLimit(.minutes(5))) struct SecretCanaryTests {
    static let canary = "CANARY-5f3a9c71"
    static let webToken = "eyJhbGciOiJub25lIn0.CANARY5f3a9c71.sig"

    /// The part of a request that contains the secret.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var endpoint = Endpoint.get("/x")
        var interceptors: [any RequestInterceptor] = []
        var names: Set<String> = []

        init(
            _ name: String, _ endpoint: Endpoint = .get("/x"), _ interceptors: [any RequestInterceptor] = [],
            names: Set<String> = []
        ) {
            testDescription = name
            self.endpoint = endpoint
            self.interceptors = interceptors
            self.names = names
        }
    }

    /// Puts the secret into a part of the request.
    private struct Adapter: RequestInterceptor {
        let change: @Sendable (inout HTTPRequest) -> Void

        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            var request = request
            change(&request)
            return request
        }
    }

    /// Removes a request's secrets by creating a new one from its parts.
    private struct Rebuilder: RequestInterceptor {
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
            HTTPRequest(
                method: request.method, url: request.url, headers: HTTPHeaders(Array(request.headers)),
                body: request.body)
        }
    }

    private static func headers(_ names: String...) -> [Place] {
        names.map { Place("header \($0)", .get("/x", headers: [$0: canary])) }
    }

    private static func items(_ names: String...) -> [Place] {
        names.map { Place("query \($0)", .get("/x?page=2&\($0)=\(canary)")) }
    }

    static let places: [Place] =
        headers(
            "Authorization", "Cookie", "Ocp-Apim-Subscription-Key", "X-Functions-Key", "aeg-sas-key",
            "X-Parse-Master-Key", "X-Hmac", "subscription-key")
        + items(
            "subscription-key", "code_verifier", "device_code", "SAMLResponse", "ticket", "passcode", "otp", "pin",
            "anything", "variables")
        + [
            Place("semicolons", .get("/x?page=2;ticket=\(canary)")),
            Place("word alone", .get("/x?\(webToken)")),
            Place("web token in the path", .get("/x/\(webToken)")),
            Place(
                "fragment and query of a Referer",
                .get("/x", headers: ["Referer": "https://a.test/?a=\(canary)#\(canary)"])),
            Place(
                "query and user of a Location",
                .get("/x", headers: ["Content-Location": "https://\(canary)@a.test/?sig=\(canary)"])),
            Place("Link", .get("/x", headers: ["Link": "</x?page=1&access_token=\(canary)#\(canary)>; rel=next"])),
            Place("form", .form("ticket=\(canary)")), Place("JSON", .json(#"{"passcode": "\#(canary)"}"#)),
            Place("registered header", .get("/x", headers: ["X-Customer": canary]), names: ["x-customer"]),
            Place("registered parameter", .json(#"{"customer": {"id": "\#(canary)"}}"#), names: ["Customer"]),
            Place("bearer token", .get("/x"), [TokenSource { canary }]),
            Place("token in a header", .get("/x"), [TokenSource(.header("X-A")) { canary }]),
            Place("token in the query", .get("/x"), [TokenSource(.query("page")) { canary }]),
            Place("token in the body", .post("/x"), [TokenSource(.bodyField("page")) { canary }]),
            Place("token that is also in the path", .get("/x/\(canary)"), [TokenSource { canary }]),
            Place(
                "token behind an interceptor that forgets", .get("/x/\(canary)"), [TokenSource { canary }, Rebuilder()]),
            Place(
                "credential", .get("/x/\(canary)"),
                [TokenRefresher(store: InMemoryCredentialStore(BearerToken(canary))) { old, _ in old }]),
            Place(
                "password", .get("/x/\(canary)"), [BasicAuth(username: "ada", password: canary)]),
            Place("key in a header", .get("/x/\(canary)"), [APIKeyAuth(key: canary, in: .header("X-A"))]),
            Place("key in the query", .get("/x/\(canary)"), [APIKeyAuth(key: canary, in: .query("page"))]),
            Place("header of an interceptor", .get("/x/\(canary)"), [Adapter { $0.headers["X-A"] = canary }]),
            Place(
                "query of an interceptor", .get("/x/\(canary)"),
                [Adapter { $0.url = $0.url.appending(queryItems: [URLQueryItem(name: "page", value: canary)]) }]),
            Place(
                "body of an interceptor", .json("{}"),
                [Adapter { $0.body = .data(Data(#"{"page": "\#(canary)"}"#.utf8)) }]),
        ]

    /// All texts in an error and its properties.
    static func texts(of error: NetworkError) -> [String] {
        var texts = [
            error.description, error.debugDescription, error.localizedDescription, String(reflecting: error),
            String(describing: error.request), String(describing: error.response), String(reflecting: error.response),
            error.attempts.description, error.request?.headers.description ?? "",
            error.response?.headers.description ?? "",
            String(describing: error.underlying), (error.underlying as? NSError)?.userInfo.description ?? "",
        ]
        for value in [error, error.request, error.response, error.request?.headers, error.response?.headers] as [Any?] {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
        }
        var text = ""
        dump(error.underlying, to: &text)
        return texts + [text]
    }

    static let answers: [MockAnswer] = [
        .status(
            404,
            headers: [
                "Location": "https://a.test/?state=\(canary)#access_token=\(canary)",
                "Content-Location": "/x?X-Amz-Signature=\(canary)&page=2",
                "Link": "<https://a.test/?cursor=\(canary)>; rel=\"next\", </x?page=2&sig=\(canary)>; rel=prev, "
                    + "</y#access_token=\(canary)>; rel=\"a b\"",
                "Refresh": "5; url=/x?token=\(canary)", "X-Echo": webToken,
                "Set-Cookie": "a=\(canary)",
            ],
            body: canary),
        .failure(
            URLError(
                .timedOut,
                userInfo: [
                    "NSErrorFailingURLKey": URL(string: "https://a.test/?anything=\(canary)") as Any,
                    "NSErrorFailingURLStringKey": "https://a.test/?anything=\(canary)",
                    NSUnderlyingErrorKey: URLError(
                        .timedOut, userInfo: ["NSErrorFailingURLStringKey": "https://a.test/?anything=\(canary)"]),
                ])),
        .failure(.lostMidBody, reason: "while reading https://a.test/?anything=\(canary) with \(webToken)"),
    ]

    @Test(arguments: places)
    func `no printed form of an error shows the secret`(place: Place) async throws {
        for answer in Self.answers {
            let client = HTTPClient(MockTransport(answer.repeating()), place.interceptors) {
                $0.secretNames = place.names
            }
            let error = await #expect(throws: NetworkError.self) { try await client.send(place.endpoint) }
            for text in Self.texts(of: try #require(error)) { #expect(!text.contains("CANARY"), "\(text)") }
        }
    }

    private static let headers: HTTPHeaders = [
        "Content-Type": "application/json", "Location": "https://a.test/?state=\(canary)#a=\(canary)",
        "Content-Location": "/x?X-Amz-Signature=\(canary)&page=2",
        "Link": "<https://a.test/?cursor=\(canary)>; rel=next, </y#access_token=\(canary)>; rel=\"a b\"",
        "Refresh": "5; url=/x?token=\(canary)",
    ]

    /// A cassette's contents after a call.
    private func recording(of place: Place, answer body: String) async throws -> String {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("tape.har")
        let live = MockTransport(.status(200, headers: Self.headers, body: body))
        let transport = try Cassette(file: file).transport(over: live)
        try await HTTPClient(transport, place.interceptors) { $0.secretNames = place.names }.send(place.endpoint)
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test(arguments: places)
    func `no cassette contains the secret`(place: Place) async throws {
        let text = try await recording(of: place, answer: #"{"jwt": "\#(Self.webToken)"}"#)
        #expect(!text.contains("CANARY"), "\(text)")
    }

    @Test(arguments: places.filter { !$0.interceptors.isEmpty || !$0.names.isEmpty })
    func `a known secret is removed from text that a server repeats`(place: Place) async throws {
        let text = try await recording(of: place, answer: #"{"echo": "so it was \#(Self.canary)"}"#)
        #expect(!text.contains("CANARY"), "\(text)")
    }
}

extension Endpoint {
    fileprivate static func form(_ text: String) -> Endpoint {
        .post("/x", headers: ["Content-Type": "application/x-www-form-urlencoded"]).body(Data(text.utf8))
    }

    fileprivate static func json(_ text: String) -> Endpoint {
        .post("/x", headers: ["Content-Type": "application/json"]).body(Data(text.utf8))
    }
}
