import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineObservation

@Suite(.timeLimit(.minutes(5))) struct TimelineReportTests {
    private func page(_ calls: PlayedCall..., report: TimelineReport = TimelineReport()) throws -> String {
        for call in calls { call.play(to: report) }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("calls.html")
        try report.write(to: file)
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// The data lines on a page.
    private func rows(_ page: String) throws -> [[String: Any]] {
        let start = try #require(page.range(of: #"id="data">"#)).upperBound
        let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
        return try page[start..<end].split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func `a call has its steps and exchanges`() throws {
        let rows = try rows(page(.eventful(.example())))
        let call = try #require(rows.last)
        #expect(rows.count == 2 && call["operation"] as? String == "GetUser" && call["attempts"] as? Int == 2)
        let kinds = (call["steps"] as? [[String: Any]])?.compactMap { $0["kind"] as? String }
        #expect(kinds == ["attempt", "wait", "refresh", "attempt", "cache", "decoding"])
        let exchanges = try #require(call["exchanges"] as? [[String: Any]])
        #expect(exchanges.count == 3)
        #expect(exchanges.compactMap { $0["curl"] as? String }.allSatisfy { $0.hasPrefix("curl 'https://api.test") })
    }

    @Test func `a wait lasts until the next attempt, and a refresh until its end`() throws {
        let call = try #require(try rows(page(.eventful(.example()))).last)
        let steps = try #require(call["steps"] as? [[String: Any]])
        let lengths = steps.map { (($0["end"] as? Double) ?? 0) - (($0["start"] as? Double) ?? 0) }
        #expect(lengths.map { $0.rounded() } == [60, 50, 50, 30, 0, 1])
    }

    private static let attacks = [
        "</script><script>alert(1)</script>", "<!--<script>", "\u{2028}\u{2029}", "<img src=x onerror=alert(1)>", "]]>",
        "&lt;/script&gt;", #""},{"x":""#, "\\u003c/script>",
    ]

    @Test(arguments: attacks) func `text of a server cannot end the data`(attack: String) throws {
        let request = HTTPRequest.example(
            .post, "/x", headers: ["X-A": attack, "Content-Type": "text/plain"], body: .data(Data(attack.utf8)))
        let response: HTTPHeaders = ["Content-Type": "text/plain", "X-B": attack]
        let page = try page(.simple(request, headers: response, body: Data(attack.utf8), operation: attack))
        let empty = try self.page()
        for mark in ["<script", "</script", "<!--", "\u{2028}", "\u{2029}", "<img"] {
            #expect(page.components(separatedBy: mark).count == empty.components(separatedBy: mark).count, "\(mark)")
        }
        let call = try #require(try rows(page).last)
        #expect(call["operation"] as? String == attack)
    }

    @Test func `only the script of the page may run, and nothing may be loaded`() throws {
        let page = try page()
        let policy = try #require(
            page.range(
                of: #"content="default-src 'none'; script-src 'sha256-[A-Za-z0-9+/=]+';"#, options: .regularExpression))
        #expect(!page[policy].contains("unsafe") && !page.contains("http://") && !page.contains("https://"))
        #expect(!page.contains("innerHTML") && !page.contains("eval("))
    }

    @Test func `the last calls are kept, and the page says how many are missing`() throws {
        let report = TimelineReport(limit: 2)
        for number in 1...5 { PlayedCall.simple(.example(.get, "/\(number)")).play(to: report) }
        let rows = try rows(page(report: report))
        #expect(rows.count == 3 && rows[0]["note"] as? String == "3 calls are not in this recording.")
    }

    @Test func `a call that has not ended is shown`() throws {
        let report = TimelineReport()
        for event in PlayedCall.simple(.example()).events.dropLast(3) { report.handle(event) }
        let call = try #require(try rows(page(report: report)).last)
        #expect(call["duration"] == nil && (call["exchanges"] as? [Any])?.count == 1)
    }
}
