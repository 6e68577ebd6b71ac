import Foundation
import Testing

/// Tests that the guides show exactly the samples that the tests run.
@Suite(.timeLimit(.minutes(5))) struct GuideSamplesTests {
    private nonisolated static let guides = ["CachingAndCookies", "Observing"]

    @Test(arguments: guides) func `a guide shows the samples that are run, and no others`(name: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let guide = here.appendingPathComponent("../../../Sources/NetworkEngine/NetworkEngine.docc/\(name).md")
        let blocks = try String(contentsOf: guide.standardized, encoding: .utf8).components(separatedBy: "```")
        let shown = blocks.enumerated().filter { $0.offset % 2 == 1 }.map {
            String($0.element.dropFirst("swift\n".count).dropLast())
        }
        let tests = here.appendingPathComponent("\(name)Tests.swift")
        let run = try String(contentsOf: tests, encoding: .utf8).markedSamples
        #expect(shown.count > 3 && shown == run)
    }
}
