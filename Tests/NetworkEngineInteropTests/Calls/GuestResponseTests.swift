import Foundation
import NetworkEngineInterop
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which responses and errors a guest receives.
@Suite(.timeLimit(.minutes(2))) struct GuestResponseTests {
    @Test(
        arguments: GuestStyle.allCases,
        [.anyResponse, .statusCodes([418]), .custom { _ in throw URLError(.badServerResponse) }] as [ResponseValidation]
    )
    func `the guest judges the response, whatever the client's validation`(
        style: GuestStyle, validation: ResponseValidation
    ) async throws {
        let rig = try InteropRig {
            $0.validation = validation
        } handler: { request in
            .text("body", status: Int(request.path.dropFirst()) ?? 200)
        }
        let load = style.loader(rig)
        for status in [200, 201, 404, 418, 500] {
            let (data, response) = try await load(rig.request("\(status)"))
            #expect(response.statusCode == status && data == Data("body".utf8))
        }
        #expect(rig.server.requests.count == 5)
    }

    /// Fails after a response, with its own error or with another call's.
    private struct Refusing: RequestInterceptor {
        let call: HTTPClient?

        func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws
            -> HTTPResponse
        {
            let response = try await next(request)
            try await call?.send(.get("/other"))
            throw NetworkError(kind: .status, reason: "refused", request: request, response: response)
        }
    }

    @Test(arguments: GuestStyle.allCases, [true, false])
    func `the failure of an interceptor is no response, also if it has one`(style: GuestStyle, ofOtherCall: Bool)
        async throws
    {
        let other = try LoopbackServer { _ in .text("not for the guest", status: 403) }
        let interceptor = Refusing(call: ofOtherCall ? HTTPClient(baseURL: other.url) : nil)
        let rig = try InteropRig(with: { _ in [interceptor] }, handler: { _ in .text("own") })
        let load = style.loader(rig)
        let error = await #expect(throws: URLError.self) { try await load(rig.request("a")) }
        #expect(error?.networkError?.response?.statusCode == (ofOtherCall ? 403 : 200))
        #expect(rig.server.requests.count == 1)
    }

    /// Gives up instead of retrying, with another call's error.
    private struct GivingUp: RequestInterceptor {
        let other: HTTPClient

        func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
            do {
                try await other.send(.get("/other"))
                return .doNotRetry
            } catch {
                return .fail(error)
            }
        }
    }

    @Test(arguments: GuestStyle.allCases)
    func `an interceptor that replaces a status by the failure of another call gives the guest that failure`(
        style: GuestStyle
    ) async throws {
        let other = try LoopbackServer { _ in .text("not for the guest", status: 403) }
        let giving = GivingUp(other: HTTPClient(baseURL: other.url))
        let rig = try InteropRig(with: { _ in [giving] }, handler: { _ in .text("own", status: 500) })
        let load = style.loader(rig)
        let error = await #expect(throws: URLError.self) { try await load(rig.request("a")) }
        #expect(error?.networkError?.response?.statusCode == 403)
    }

    @Test(arguments: Wire.all, GuestStyle.allCases)
    func `empty bodies are sent and returned as such`(wire: Wire, style: GuestStyle) async throws {
        let rig = try InteropRig(wire) { request in
            .status(request.method == .head || request.path == "/none" ? 204 : 200)
                .header("X-Length", request.headers["Content-Length"] ?? "none")
        }
        let load = style.loader(rig)
        var request = rig.request("all", "POST")
        request.httpBody = Data()
        for request in [request, rig.request("none"), rig.request("all"), rig.request("all", "HEAD")] {
            let (data, response) = try await load(request)
            #expect(data.isEmpty && response.statusCode / 100 == 2)
        }
        #expect(rig.server.requests.allSatisfy { $0.body.isEmpty })
        #expect(rig.server.requests.first?.headers["Content-Length"] == "0")
    }
}
