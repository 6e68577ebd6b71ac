import Foundation
import NetworkEngineInterop
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCache
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(1))) struct URLErrorTests {
    /// A network failure, and the code that a guest receives.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: URLError.Code
        let answer: LoopbackResponse
    }

    static let faults = [
        Fault(
            testDescription: "reset", code: .networkConnectionLost, answer: .fault(.reset, at: .responseStart)),
        Fault(
            testDescription: "cut body", code: .networkConnectionLost,
            answer: .text("0123456789").fault(.close, at: .responseBody(afterBytes: 4))),
        Fault(
            testDescription: "cut chunk", code: .networkConnectionLost,
            answer: .text("0123456789").chunked(size: 4).fault(.reset, at: .responseBody(afterBytes: 12))),
        Fault(
            testDescription: "silence in the body", code: .timedOut,
            answer: .text("0123456789").held(by: LoopbackBarrier(), at: .responseBody(afterBytes: 4))),
        Fault(
            testDescription: "broken coding", code: .cannotDecodeContentData,
            answer: .text("0123456789").gzipped(.plain)),
        Fault(testDescription: "circle", code: .httpTooManyRedirects, answer: .redirect(to: "/a")),
        Fault(
            testDescription: "silence", code: .timedOut, answer: .status(200).held(by: LoopbackBarrier())),
        Fault(
            testDescription: "too large", code: .dataLengthExceedsMaximum,
            answer: .data(Data(repeating: 0, count: 2_000))),
    ]

    @Test(arguments: Wire.all, faults)
    func `a failure has the code that URLSession has, and ours underneath`(wire: Wire, fault: Fault) async throws {
        for style in GuestStyle.allCases {
            let rig = try InteropRig(wire) {
                $0.timeout = .milliseconds(fault.code == .timedOut ? 100 : 10_000)
                $0.limits.bodyInMemory = 1_000
            } handler: { _ in
                fault.answer
            }
            let load = style.loader(rig)
            let error = await #expect(throws: URLError.self) { try await load(rig.request("a")) }
            #expect(error?.code == fault.code, "\(style)")
            #expect(error?.networkError?.attempts.count == 1, "\(style)")
            #expect(error?.failingURL == rig.server.url.appendingPathComponent("a"))
        }
    }

    @Test(arguments: GuestStyle.allCases)
    func `a deadline, a shutdown and a refused connection have codes`(style: GuestStyle) async throws {
        let barrier = LoopbackBarrier()
        let rig = try InteropRig {
            $0.deadline = .milliseconds(100)
        } handler: { _ in
            .status(200).held(by: barrier)
        }
        let load = style.loader(rig)
        var error = await #expect(throws: URLError.self) { try await load(rig.request("a")) }
        #expect(error?.code == .timedOut && error?.networkError?.transportFailure == .timeout(.deadline))
        rig.server.stop()
        error = await #expect(throws: URLError.self) { try await load(rig.request("a")) }
        #expect(error?.code == .cannotConnectToHost)
        rig.shutDown()
        error = await #expect(throws: URLError.self) { try await load(rig.request("a")) }
        #expect(error?.networkError != nil)
    }

    @Test func `a canceled call is canceled`() async throws {
        let rig = try InteropRig { _ in .status(200).held(by: LoopbackBarrier()) }
        let call = Task { try await rig.client.data(for: rig.request("a")) }
        _ = try await rig.server.requests(atLeast: 1)
        call.cancel()
        let error = await #expect(throws: URLError.self) { try await call.value }
        #expect(error?.code == .cancelled && error?.networkError?.kind == .cancelled)
    }

    @Test func `what is secret in an address is not in an error`() async throws {
        let rig = try InteropRig { _ in .fault(.reset, at: .responseStart) }
        let address = try #require(URL(string: rig.server.url.absoluteString + "/a?access_token=sesame"))
        let error = await #expect(throws: URLError.self) { try await rig.client.data(for: URLRequest(url: address)) }
        let described = error.map { "\($0) \(($0 as NSError).userInfo)" }
        #expect(described?.contains("sesame") == false && error?.failingURL?.path == "/a")
    }

    @Test func `a file that does not exist has its code`() async throws {
        let rig = try InteropRig { _ in .status(200) }
        let missing = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        let error = await #expect(throws: URLError.self) {
            try await rig.client.upload(for: rig.request("a", "PUT"), fromFile: missing)
        }
        #expect(error?.code == .fileDoesNotExist)
    }

    @Test(arguments: GuestStyle.allCases)
    func `the cache of the client answers as the request says`(style: GuestStyle) async throws {
        let rig = try InteropRig {
            $0.cache = ResponseCache()
        } handler: { _ in
            .text("fresh").header("Cache-Control", "max-age=60")
        }
        let load = style.loader(rig)
        var request = rig.request("a")
        request.cachePolicy = .returnCacheDataDontLoad
        let error = await #expect(throws: URLError.self) { try await load(request) }
        #expect(error?.code == .resourceUnavailable)
        request.cachePolicy = .useProtocolCachePolicy
        for _ in 0..<2 { _ = try await load(request) }
        #expect(rig.server.requests.count == 1)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        _ = try await load(request)
        #expect(rig.server.requests.count == 2)
    }
}
