import Foundation
import Testing

/// Tests that the guides show exactly the samples that the tests run.
@Suite(.timeLimit(.minutes(5))) struct GuideSamplesTests {
    /// The articles with their modules.
    private nonisolated static let guides = [
        ("GettingStarted", "NetworkEngine"), ("TargetsAndTasks", "NetworkEngine"), ("Authentication", "NetworkEngine"),
        ("StreamingAndEvents", "NetworkEngineStreams"), ("UploadsAndDownloads", "NetworkEngine"),
        ("CustomTransportsAndInterceptors", "NetworkEngine"), ("GraphQL", "NetworkEngineGraphQL"),
        ("TestingAndPreviews", "NetworkEngineTesting"), ("ServersOnLinux", "NetworkEngineCurl"),
        ("MainActorApps", "NetworkEngine"), ("Caching", "NetworkEngineCache"), ("Cookies", "NetworkEngineCookies"),
        ("Errors", "NetworkEngine"), ("Environments", "NetworkEngine"),
        ("Observing", "NetworkEngineObservation"), ("TransferringInTheBackground", "NetworkEngineBackground"),
        ("PagingThroughLists", "NetworkEngineStreams"), ("StreamsOfLanguageModels", "NetworkEngineStreams"),
        ("WebSockets", "NetworkEngineWebSocket"),
        ("CredentialsAndStores", "NetworkEngine"), ("MockRules", "NetworkEngineMocks"),
        ("SecretsAndOrigins", "NetworkEngine"), ("CredentialsOfAService", "NetworkEngine"),
    ]

    @Test(arguments: guides)
    func `a guide shows the samples that are run, and no others`(name: String, module: String) throws {
        let guide = Self.root.appendingPathComponent("Sources/\(module)/\(module).docc/\(name).md")
        let blocks = try Self.text(of: guide).components(separatedBy: "```")
        let language = "swift\n"
        let shown = blocks.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix(language) }.map {
            String($0.element.dropFirst(language.count).dropLast())
        }
        let run = try Self.text(of: Self.root.appendingPathComponent(Self.file(of: name))).markedSamples
        #expect(shown.count > 1 && shown == run)
    }

    @Test func `the page of guides names every guide`() throws {
        let sources = Self.root.appendingPathComponent("Sources")
        let files = try Self.files(in: sources).filter { $0.pathExtension == "md" }
        let page = try Self.text(of: sources.appendingPathComponent("NetworkEngine/NetworkEngine.docc/WhichGuide.md"))
        let missing = try files.filter { file in
            let name = file.deletingPathExtension().lastPathComponent
            let title = try Self.text(of: file).split(separator: "\n").first?.dropFirst(2) ?? ""
            // A module's page lists its guides, but isn't a guide itself.
            return !title.hasPrefix("``") && name != "WhichGuide" && !page.contains("<doc:\(name)>")
                && !page.contains("“\(title)”")
        }
        #expect(missing == [] && files.count > 40)
    }

    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized

    /// Returns the file with a guide's samples.
    private static func file(of name: String) -> String {
        switch name {
        // These samples belong to a module with the main actor as its default isolation.
        case "MainActorApps": "Tests/MainActorAppTests/\(name)GuideTests.swift"
        // Compiled only on Apple platforms, and by `.ci/apple-check`.
        case "TransferringInTheBackground": ".ci/apple/samples/\(name).swift"
        default: "Tests/ExampleTests/Guides/\(name)Tests.swift"
        }
    }

    /// Articles that other tests compare.
    private static let others = ["AnAppModule", "YourFirstTest", "Previews"]

    @Test func `every sample of an article is compiled`() throws {
        let places = [
            "Tests/ExampleTests/Guides", "Tests/MainActorAppTests", ".ci/apple/samples", ".ci/language/compiles",
            ".ci/consumer/Sources/GeneratedClient",
        ]
        let tests = places.map { Self.root.appendingPathComponent($0) }
        let samples = try Set(tests.flatMap(Self.files).flatMap { try Self.text(of: $0).markedSamples })
        let articles = try Self.files(in: Self.root.appendingPathComponent("Sources")).filter {
            let name = $0.deletingPathExtension().lastPathComponent
            return $0.pathExtension == "md" && !name.hasPrefix("ComingFrom") && !Self.others.contains(name)
        }
        #expect(articles.count > 20)
        for article in articles + [Self.root.appendingPathComponent(".github/AGENTS.md")] {
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
