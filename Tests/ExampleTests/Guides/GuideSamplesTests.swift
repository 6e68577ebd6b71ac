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
        ("Observing", "NetworkEngine"),
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

    @Test func `every guide of the catalog is compared`() throws {
        let catalog = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../Sources/NetworkEngine/NetworkEngine.docc/NetworkEngine.md")
        let topics = try String(contentsOf: catalog.standardized, encoding: .utf8).components(separatedBy: "### ")
        let group = try #require(topics.first { $0.hasPrefix("Guides\n") })
        let names = group.components(separatedBy: "<doc:").dropFirst().map { $0.prefix { $0 != ">" } }
        #expect(names.count > 8 && Set(names).isSubset(of: Set(Self.guides.map { Substring($0.0) })))
    }
}
