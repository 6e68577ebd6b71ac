import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Pages with a cursor that is named like a token.
@Suite(.timeLimit(.minutes(5))) struct CassetteCursorTests {
    @Test(arguments: ["pageToken", "nextPageToken", "page_token", "continuationToken", "NextToken", "x-page-token"])
    func `each page is played for its own cursor`(name: String) async throws {
        let studio = try Studio()
        let pages = ["a", "b", "c"].map { page in
            MockAnswer.json(#"{"\#(name)": "cursor-\#(page)-0123456789", "page": "\#(page)"}"#)
        }
        let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
        let requests: [(String) -> Endpoint] = [
            { .get("/query?\(name)=\($0)") },
            { .post("/json").body(Data(#"{"\#(name)": "\#($0)"}"#.utf8)) },
            { .post("/form", headers: form).body(Data("\(name)=\($0)".utf8)) },
        ]
        for request in requests {
            let cursors = ["", "cursor-a-0123456789", "cursor-b-0123456789"]
            let live = MockTransport()
            live.on().answers(pages)
            let options = { (options: inout CassetteOptions) in
                options.matching = CassetteMatching([.method, .url, .body])
            }
            let recorder = Studio.client(try studio.cassette(.newEpisodes, options), live)
            for cursor in cursors { _ = try await Studio.hear(recorder, request(cursor)).get() }
            let player = Studio.client(try studio.cassette(.none, options))
            for (cursor, page) in zip(cursors, ["a", "b", "c"]).reversed() {
                let text = try await Studio.hear(player, request(cursor)).get()
                #expect(text.contains("cursor-\(page)-0123456789") && text.contains(#""page": "\#(page)""#))
            }
        }
        #expect(try !studio.text.contains("query?\(name)=cursor-a"))
    }
}
