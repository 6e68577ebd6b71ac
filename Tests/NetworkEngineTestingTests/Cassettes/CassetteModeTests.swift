import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct CassetteModeTests {
    /// A studio with a cassette on which `/a` answers "old".
    private func studio() async throws -> Studio {
        let studio = try Studio()
        let client = Studio.client(try studio.cassette(.all), MockTransport(.status(200, body: "old")))
        _ = try await Studio.hear(client, .get("/a")).get()
        return studio
    }

    @Test func `recorded exchanges are played without the network`() async throws {
        let studio = try await studio()
        let live = MockTransport()
        let cassette = try studio.cassette()
        #expect(try await Studio.hear(Studio.client(cassette, live), .get("/a")).get() == "old")
        #expect(live.requests.isEmpty && !cassette.isRecording)
        try cassette.checkAllUsed()
    }

    @Test(arguments: [CassetteMode.once, .none])
    func `a mode that only plays refuses a new request`(mode: CassetteMode) async throws {
        let studio = try await studio()
        let live = MockTransport(.status(200))
        let error = await Studio.hear(Studio.client(try studio.cassette(mode), live), .get("/b")).error
        #expect(error?.kind == .transport && live.requests.isEmpty)
        #expect(
            error?.reason == """
                the cassette has no exchange for this request; closest is number 1 (GET https://api.test/a): \
                the path is "/b", not "/a"
                """)
    }

    @Test func `new episodes are added to the recorded ones`() async throws {
        let studio = try await studio()
        let live = MockTransport(.status(200, body: "new"))
        let client = Studio.client(try studio.cassette(.newEpisodes), live)
        #expect(try await Studio.hear(client, .get("/b")).get() == "new")
        #expect(try await Studio.hear(client, .get("/a")).get() == "old")
        let again = Studio.client(try studio.cassette(.none))
        #expect(try await Studio.hear(again, .get("/b")).get() == "new")
        #expect(live.requests.count == 1)
    }

    @Test(arguments: [false, true])
    func `new episodes of a repeated request are added behind the recorded ones, and none is lost`(
        allowsRepeats: Bool
    ) async throws {
        let studio = try Studio()
        for (plays, records) in [(0, 2), (2, 2), (4, 1)] {
            let bodies = (plays..<(plays + records)).map { MockAnswer.status(200, body: "page \($0)") }
            let mock = MockTransport()
            mock.on().answers(bodies)
            let cassette = try studio.cassette(.newEpisodes) { $0.allowsRepeats = false }
            let client = Studio.client(cassette, mock)
            for number in 0..<(plays + records) {
                #expect(try await Studio.hear(client).get() == "page \(number)")
            }
        }
        let client = Studio.client(try studio.cassette(.newEpisodes) { $0.allowsRepeats = allowsRepeats })
        for number in 0..<5 { #expect(try await Studio.hear(client).get() == "page \(number)") }
        if allowsRepeats { #expect(try await Studio.hear(client).get() == "page 4") }
        let again = Studio.client(try studio.cassette(.none))
        for number in 0..<5 { #expect(try await Studio.hear(again).get() == "page \(number)") }
    }

    @Test func `recording again replaces all episodes`() async throws {
        let studio = try await studio()
        let client = Studio.client(try studio.cassette(.all), MockTransport(.status(200, body: "new")))
        #expect(try await Studio.hear(client, .get("/b")).get() == "new")
        #expect(try !studio.text.contains("old"))
    }

    @Test func `a missing cassette is an error where nothing is recorded`() throws {
        let studio = try Studio()
        let error = #expect(throws: CassetteError.self) { try studio.cassette(.none) }
        #expect(error?.reason == "there is no such cassette" && error?.file == studio.file)
    }

    @Test func `a file that is not HAR is an error`() throws {
        let studio = try Studio()
        try studio.write("{}")
        let error = #expect(throws: CassetteError.self) { try studio.cassette() }
        #expect(error?.description.contains("this is no HAR file") == true)
    }

    @Test func `an episode that was not requested is an error at the end`() async throws {
        let studio = try await studio()
        let cassette = try studio.cassette()
        let error = #expect(throws: CassetteError.self) { try cassette.checkAllUsed() }
        #expect(error?.unused == ["1. GET https://api.test/a"])
    }

    @Test func `a cassette of a name is beside the source file`() throws {
        let cassette = try Cassette("nobody", mode: .newEpisodes)
        #expect(cassette.file.path.hasSuffix("NetworkEngineTestingTests/Cassettes/Cassettes/nobody.har"))
    }
}
