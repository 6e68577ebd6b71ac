import Foundation
import Testing

/// Tests that the guides show exactly the samples that the tests run.
@Suite(.timeLimit(.minutes(5))) struct GuideSamplesTests {
    /// The articles with their modules.
    private nonisolated static let guides = [
        ("GettingStarted", "NetworkEngine"), ("TargetsAndTasks", "NetworkEngine"), ("Authentication", "NetworkEngine"),
        ("StreamingAndEvents", "NetworkEngine"), ("UploadsAndDownloads", "NetworkEngine"),
        ("CustomTransportsAndInterceptors", "NetworkEngine"), ("GraphQL", "NetworkEngineGraphQL"),
        ("TestingAndPreviews", "NetworkEngineTesting"), ("ServersOnLinux", "NetworkEngineCurl"),
        ("MainActorApps", "NetworkEngine"),
        ("CachingAndCookies", "NetworkEngine"), ("Errors", "NetworkEngine"), ("Environments", "NetworkEngine"),
        ("Observing", "NetworkEngine"), ("PagingThroughLists", "NetworkEngine"),
        ("CredentialsAndStores", "NetworkEngine"), ("MockRules", "NetworkEngineMocks"),
    ]

    @Test(arguments: guides)
    func `a guide shows the samples that are run, and no others`(name: String, module: String) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let guide = here.appendingPathComponent("../../../Sources/\(module)/\(module).docc/\(name).md")
        let blocks = try String(contentsOf: guide.standardized, encoding: .utf8).components(separatedBy: "```")
        let language = "swift\n"
        let shown = blocks.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix(language) }.map {
            String($0.element.dropFirst(language.count).dropLast())
        }
        // These samples belong to a module whose default isolation is the main actor.
        let isOnMainActor = name == "MainActorApps"
        let file = isOnMainActor ? "../../MainActorAppTests/\(name)GuideTests.swift" : "\(name)Tests.swift"
        let tests = here.appendingPathComponent(file).standardized
        let run = try String(contentsOf: tests, encoding: .utf8).markedSamples
        #expect(shown.count > 3 && shown == run)
    }

    /// Articles that other tests compare, and one that only Apple platforms compile.
    private static let others = ["AnAppModule", "YourFirstTest", "Previews", "TransferringInTheBackground"]

    @Test func `every sample of an article is compiled by a test`() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let tests = ["Tests/ExampleTests/Guides", "Tests/MainActorAppTests"].map { root.appendingPathComponent($0) }
        let samples = try Set(tests.flatMap(Self.files).flatMap { try Self.text(of: $0).markedSamples })
        let articles = try Self.files(in: root.appendingPathComponent("Sources")).filter {
            let name = $0.deletingPathExtension().lastPathComponent
            return $0.pathExtension == "md" && !name.hasPrefix("ComingFrom") && !Self.others.contains(name)
        }
        #expect(articles.count > 20)
        for article in articles {
            for block in try Self.text(of: article).components(separatedBy: "```swift\n").dropFirst() {
                let code = try #require(block.components(separatedBy: "\n```").first)
                #expect(samples.contains(code), "\(article.lastPathComponent)")
            }
        }
    }

    private static func files(in folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { folder.appendingPathComponent($0) }
            .filter { ["swift", "md"].contains($0.pathExtension) }
    }

    private static func text(of file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
}
