import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The responses that become errors, and their kinds.
@Suite(.timeLimit(.minutes(5))) struct ResponseValidationTests {
    private struct Mistake: Error {}

    private func response(_ status: Int, type: String? = nil, body: String = "{}") -> HTTPResponse {
        HTTPResponse(
            statusCode: status,
            headers: type.map { ["Content-Type": $0] } ?? [:],
            body: .data(Data(body.utf8)),
            request: HTTPRequest(url: API.base)
        )
    }

    private func fault(
        of response: HTTPResponse,
        by validation: ResponseValidation,
        standard: ResponseValidation = .success
    ) -> NetworkError? {
        do throws(NetworkError) {
            try validation.check(response, standard: standard)
            return nil
        } catch {
            return error
        }
    }

    static let statuses: [(ResponseValidation, accepted: [Int], refused: [Int])] = [
        (.success, [200, 201, 204, 299], [100, 199, 300, 304, 404, 500, 600]),
        (.anyResponse, [100, 204, 304, 404, 500, 600, 999], []),
        (.statusCodes(200..<400), [200, 304, 399], [199, 400]),
        (.statusCodes([200, 404]), [200, 404], [201, 403]),
        (.statusCodes([]), [], [200, 404]),
    ]

    @Test(arguments: statuses)
    func `statuses are accepted or refused`(
        _ validation: ResponseValidation, accepted: [Int], refused: [Int]
    ) {
        for status in accepted { #expect(fault(of: response(status), by: validation) == nil) }
        for status in refused { #expect(fault(of: response(status), by: validation)?.kind == .status) }
    }

    @Test func `a refused status is an error with code, address, headers and body`() throws {
        let error = try #require(fault(of: response(404, type: "text/plain", body: "secret"), by: .success))
        #expect(error.statusCode == 404 && error.statusName == .notFound)
        #expect(error.request?.url == API.base)
        #expect(error.response?.headers["Content-Type"] == "text/plain")
        #expect(error.response?.data == Data("secret".utf8))
        #expect(error.reason == "status 404 is not in 200..<300")
        #expect(error.description.contains("secret") == false)
    }

    static let types: [(accepted: String, header: String?, Bool)] = [
        ("application/json", "application/json", true),
        ("application/json", "application/json; charset=utf-8", true),
        ("application/json", "Application/JSON ;charset=utf-8", true),
        ("Application/JSON", "application/json", true),
        ("application/json; charset=utf-8", "application/json", true),
        ("application/*", "application/json", true),
        ("*/*", "text/plain", true),
        ("*/*", nil, true),
        ("application/json", nil, false),
        ("application/json", "text/html", false),
        ("application/*", "text/html", false),
        ("application/*", "applications/json", false),
        ("application/json", "application/jsonp", false),
    ]

    @Test(arguments: types)
    func `content types are compared without case and parameters`(
        accepted: String, header: String?, isFit: Bool
    ) {
        let fault = fault(of: response(200, type: header), by: .success.contentType(accepted))
        #expect((fault == nil) == isFit, "\(String(describing: fault))")
        if let fault { #expect(fault.kind == .invalidResponse) }
    }

    @Test func `one of several content types is enough, and an empty body has none`() {
        let validation = ResponseValidation.success.contentType("text/plain", "application/json")
        #expect(fault(of: response(200, type: "application/json"), by: validation) == nil)
        #expect(fault(of: response(204, body: ""), by: validation) == nil)
    }

    /// Responses with the same body in memory, in a file and in a stream, for a request that accepts JSON.
    private func responses(_ status: Int, _ file: URL, length: Int64?) throws -> [HTTPResponse] {
        let stream = BodyStream(length: length, isReplayable: false) { BodyStream.Reading { nil } }
        let bodies: [ResponseBody] = [.data(try Data(contentsOf: file)), .file(file), .stream(stream)]
        let request = HTTPRequest(url: API.base, headers: ["Accept": "application/json"])
        return bodies.map { HTTPResponse(statusCode: status, body: $0, request: request) }
    }

    static let typed: [ResponseValidation] = [
        ResponseValidation.anyResponse.contentType("application/json"),
        ResponseValidation.anyResponse.acceptedContentType(),
    ]

    @Test(arguments: [(200, 0), (204, nil), (205, nil), (304, nil)] as [(Int, Int64?)])
    func `an empty body has no type to check in memory, in a file and in a stream`(
        status: Int, length: Int64?
    ) throws {
        let folder = try TemporaryFolder()
        for response in try responses(status, folder.file("body", ""), length: length) {
            for validation in Self.typed { #expect(fault(of: response, by: validation) == nil) }
        }
    }

    @Test(arguments: [3, nil] as [Int64?])
    func `a body without a type is refused in memory, in a file and in a stream`(length: Int64?) throws {
        let folder = try TemporaryFolder()
        for response in try responses(200, folder.file("body", "<p>"), length: length) {
            for validation in Self.typed { #expect(fault(of: response, by: validation)?.kind == .invalidResponse) }
        }
    }

    @Test func `a content type is checked in addition to the status`() {
        let validation = ResponseValidation.statusCodes([200]).contentType("text/plain")
        #expect(fault(of: response(500, type: "text/plain"), by: validation)?.kind == .status)
        #expect(fault(of: response(200, type: "text/html"), by: validation)?.kind == .invalidResponse)
    }

    @Test func `the error of a custom check is the error of the call`() {
        #expect(fault(of: response(500), by: .custom { _ in }) == nil)
        let foreign = fault(of: response(200), by: .success.custom { _ in throw Mistake() })
        #expect(foreign?.kind == .invalidResponse && foreign?.underlying is Mistake)
        let own = fault(of: response(200), by: .custom { _ in throw NetworkError(kind: .authentication, reason: "no") })
        #expect(own?.kind == .authentication && own?.reason == "no")
        #expect(own?.response?.statusCode == 200)
        #expect(fault(of: response(200), by: .custom { _ in throw CancellationError() })?.kind == .cancelled)
    }

    @Test(
        arguments: [
            (.success, 404, true), (.success, 500, false), (.statusCodes([500]), 500, true), (.anyResponse, 500, true),
            (.success.contentType("text/plain"), 404, false),
        ] as [(ResponseValidation, Int, Bool)])
    func `the configuration defines success`(_ validation: ResponseValidation, status: Int, isFit: Bool) async {
        let mock = MockTransport(.status(status, body: "{}"))
        let provider = NetworkProvider<TestTarget>(mock) { $0.validation = .statusCodes([200, 404]) }
        let answer = try? await provider.send(TestTarget(validation: validation))
        #expect((answer != nil) == isFit)
    }

    @Test func `a configuration can make validation stricter or weaker`() {
        let strict = ResponseValidation.success.contentType("application/json")
        #expect(fault(of: response(200, type: "text/html"), by: .success, standard: strict)?.kind == .invalidResponse)
        #expect(fault(of: response(500, type: "application/json"), by: .success, standard: strict)?.kind == .status)
        #expect(fault(of: response(500), by: .success, standard: .anyResponse) == nil)
    }

    @Test(
        arguments: [
            (nil, "text/html", true), ("", "text/html", true), ("application/json", "application/json", true),
            ("application/json", "Application/JSON; charset=utf-8", true), ("application/json", "text/html", false),
            ("application/json", nil, false), ("text/*, application/json;q=0.5", "text/csv", true),
            ("*/*", "image/png", true), ("*/*, text/html;q=0", "text/html", false),
            ("*/*, text/*;q=0", "text/html", false),
            ("text/*;q=0, text/html", "text/html", true),
            ("text/html; q=0.0", "text/html", false),
            ("text/html;level=1", "text/html", true), ("a/b;x=\"1,2\", c/d", "c/d", true),
        ] as [(String?, String?, Bool)])
    func `the type must be one that the request accepts`(_ accept: String?, _ type: String?, isFit: Bool) {
        let headers: HTTPHeaders = accept.map { ["Accept": $0] } ?? [:]
        func answer(_ body: String) -> HTTPResponse {
            HTTPResponse(
                statusCode: 200, headers: type.map { ["Content-Type": $0] } ?? [:], body: .data(Data(body.utf8)),
                request: HTTPRequest(url: API.base, headers: headers))
        }
        let error = fault(of: answer("{}"), by: .success.acceptedContentType())
        #expect(isFit ? error == nil : error?.kind == .invalidResponse)
        #expect(fault(of: answer(""), by: .success.acceptedContentType()) == nil)
    }
}
