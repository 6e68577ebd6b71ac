import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl
@testable import NetworkEngineWebSocket

/// The public WebSocket test suite, which is third-party. It sends messages, fragments, control frames and everything
/// that the protocol forbids, and evaluates the responses.
@Suite(
    .timeLimit(.minutes(30)),
    .serialized,
    .enabled(if: ProtocolSuite.isAsked, "its cases count seconds, so that they run alone: .ci/run asks for them"),
    .enabled(if: ProtocolSuite.isInstalled, "the suite of cases is not installed: .ci/run installs it"),
    .enabled(if: CurlTransport.isAvailable, "there is no libcurl")
)
struct ProtocolSuiteTests {
    /// Frames, pings, reserved bits, opcodes, fragments, UTF-8, closing, and some others: 247 cases.
    @Test func `every case about frames, fragments, texts and closing is passed`() async throws {
        try await check([1, 2, 3, 4, 5, 6, 7, 10].map { "\($0).*" }, count: 247)
    }

    /// Messages of up to 16 MB in chunks of every size.
    @Test func `every case about large messages is passed`() async throws { try await check(["9.*"], count: 54) }

    /// All cases with small messages; with `NETWORKENGINE_SUITE=all` all 216, which takes nine minutes.
    @Test func `every case about compression is passed`() async throws {
        if ProtocolSuite.isWhole { return try await check(["12.*", "13.*"], count: 216) }
        let groups = (1...5).map { "12.\($0)" } + (1...7).map { "13.\($0)" }
        try await check(groups.flatMap { ["\($0).1", "\($0).2"] }, count: 24)
    }

    private func check(_ cases: [String], count: Int) async throws {
        let suite = try await ProtocolSuite(cases)
        let transport = CurlTransport()
        defer { transport.shutdown() }
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        let client = HTTPClient(baseURL: suite.url, configuration: configuration)
        var known = 0
        for try await message in try await client.webSocket(.get("/getCaseCount")).messages {
            known = message.text.flatMap { Int($0) } ?? 0
        }
        #expect(known == count)
        for number in 1...known {
            let socket = try await client.webSocket(
                .get("/runCase").query("case", number).query("agent", "NetworkEngine"))
            // The echo that the suite requires from a client. Many cases end with an error.
            do { for try await message in socket.messages { try await socket.send(message) } } catch {}
        }
        let reports = try await client.webSocket(.get("/updateReports").query("agent", "NetworkEngine"))
        do { for try await _ in reports.messages {} } catch {}
        let verdicts = await suite.verdicts()
        #expect(verdicts.count == count)
        for verdict in verdicts {
            #expect(["OK", "NON-STRICT", "INFORMATIONAL"].contains(verdict.behavior), "\(verdict)")
            #expect(["OK", "INFORMATIONAL"].contains(verdict.closing), "\(verdict)")
        }
    }
}

/// The server for the suite's cases.
private final class ProtocolSuite: Sendable {
    struct Verdict: Decodable {
        let id: String
        let behavior: String
        let closing: String
        let expectation: String
    }

    let url: URL
    private let process: ChildProcess

    static let isInstalled = Program.python(has: "kosoku")
    private static let wish = ProcessInfo.processInfo.environment["NETWORKENGINE_SUITE"]
    static let isAsked = wish != nil
    static let isWhole = wish == "all"

    /// - Parameter cases: patterns for case numbers.
    init(_ cases: [String]) async throws {
        process = try ChildProcess(Program.python, ["-u", "-c", Self.script] + cases, discardsErrors: true)
        url = try await process.address(scheme: "ws")
    }

    /// The suite's output once all of its cases have run.
    func verdicts() async -> [Verdict] {
        let text = await withCheckedContinuation { waiter in
            DispatchQueue.global().async { waiter.resume(returning: self.process.read()) }
        }
        return (try? JSONDecoder().decode([Verdict].self, from: Data(text.utf8))) ?? []
    }

    /// Two patches make the suite match the original: the compression cases receive uncompressed messages as bytes, and
    /// the response to an offer without `client_no_context_takeover` may include it (RFC 7692, 7.1.1.2).
    private static let script = #"""
        import asyncio, json, sys
        from kosoku import FailureError, cases, run_fuzzingserver
        from kosoku._kosoku import PerMessageDeflateOffer as Offer
        from kosoku._report import case_to_dict

        def mend(case):
            receive, accept = case.onMessage, case.SERVER_ACCEPT

            def on_message(self, message, is_binary):
                if isinstance(message, str):
                    message = message.encode("latin-1" if is_binary else "utf-8")
                receive(self, message, is_binary)

            def widened(offer):
                if not isinstance(offer, Offer): return offer
                return Offer(True, offer.acceptMaxWindowBits, offer.requestNoContextTakeover, offer.requestMaxWindowBits)

            case.onMessage = on_message
            case.SERVER_ACCEPT = lambda self, offers: accept(self, [widened(offer) for offer in offers])

        for number, case in cases.CASES.items():
            if number.split(".")[0] in ("12", "13"): mend(case)

        async def main():
            try:
                async with run_fuzzingserver(sys.argv[1:], host="127.0.0.1", port=0) as server:
                    print(server.port, flush=True)
                    results = await server.get_result()
            except FailureError as failure:
                results = failure.results
            names = {"id": "id", "behavior": "behavior", "closing": "behaviorClose", "expectation": "expectation"}
            rows = [case_to_dict(result) for result in results]
            print(json.dumps([{name: row[key] for name, key in names.items()} for row in rows]))

        asyncio.run(main())
        """#
}
