import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// One case over one wire.
struct FaultRun {
    let fault: FaultCase
    let wire: Wire

    /// Runs the case and compares the observations with the expectation, or with the known difference.
    static func check(_ fault: FaultCase, over wire: Wire) async throws {
        let run = FaultRun(fault: fault, wire: wire)
        let difference = wire.differences[fault.id]
        let instead: FaultExpectation
        switch difference?.effect {
        case nil, .takes, .takesWhatItLikes: return complain(fault.expected.complaints(about: try await run.sighting()))
        case .endsTheProcess: return
        case .sees(let expectation): instead = expectation
        }
        let heading = difference?.heading ?? ""
        // Some depend on whether the platform has already noticed that the connection is closed.
        for _ in 0..<5 {
            let sighting = try await run.sighting()
            if fault.expected.complaints(about: sighting).isEmpty { continue }
            return complain(instead.complaints(about: sighting).map { "\($0), and not what \(heading) says" })
        }
        complain(["the difference disappeared that \(heading) explains: delete its entry"])
    }

    /// If a platform accepts too much data, it processes that first, on a busy machine for longer than a request waits.
    private func waitingForWhatPiledUp(_ configuration: inout NetworkConfiguration) {
        if case .takesWhatItLikes? = wire.differences[fault.id]?.effect { configuration.timeout = .seconds(300) }
    }

    private static func complain(_ complaints: [String]) {
        for complaint in complaints { Issue.record(Comment(rawValue: complaint)) }
    }

    private func sighting() async throws -> FaultSighting {
        let server = try LoopbackServer(fault.server) { [fault] in
            $0.path == "/after" ? .text("after") : fault.serve($0)
        }
        return try await wire.withTransport { transport in
            let engine = RequestEngine.over(transport, fault.configure)
            if let answer = fault.warmUp {
                server.enqueue(answer)
                _ = await engine.ending(of: server.request("warm"))
            }
            server.enqueue(fault.answers)
            let start = ContinuousClock.now
            let (ending, words) = await engine.ending(
                of: fault.request(server),
                savingToFile: fault.savesToFile,
                telling: fault.tell
            )
            let took = ContinuousClock.now - start
            let hits = server.requests.count { $0.path != "/warm" } + server.record.abandonedRequestCount
            let last = server.requests.last?.connection
            let (after, wordsAfter) = await RequestEngine.over(transport, waitingForWhatPiledUp)
                .ending(of: server.request("after"))
            let next = server.requests.last { $0.path == "/after" }?.connection
            let reuses = last.flatMap { last in next.map { last == $0 } }
            return FaultSighting(
                ending: ending, words: words, hits: hits, reuses: reuses, took: took, after: after,
                wordsAfter: wordsAfter)
        }
    }
}

extension RequestEngine {
    /// How a request ends, regardless of its status, and the text of its error.
    func ending(
        of request: HTTPRequest,
        savingToFile savesToFile: Bool = false,
        telling tell: (HTTPResponse) -> String = { $0.text }
    ) async -> (ending: FaultEnding, words: String) {
        var options = options()
        options.validation = .anyResponse
        options.files = savesToFile ? DownloadSession() : nil
        do throws(NetworkError) {
            let response = try await value(of: request, options, decoding: .response)
            return (.response(response.statusCode, tell(response)), "")
        } catch {
            return (.failure(error.kind, error.transportFailure), error.reason)
        }
    }
}
