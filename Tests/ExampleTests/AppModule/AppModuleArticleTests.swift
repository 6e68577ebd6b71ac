import Foundation
import Testing

/// The article shows the files of the module.
@Suite(.timeLimit(.minutes(10))) struct AppModuleArticleTests {
    @Test func `each piece of code in the article is a file of the module`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = folder.appendingPathComponent("../../..").standardized
        let article = try String(
            contentsOf: root.appendingPathComponent("Sources/NetworkEngine/NetworkEngine.docc/AnAppModule.md"),
            encoding: .utf8)
        let shown = article.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { !$0.lastPathComponent.contains("Tests") }
            .map { try String(contentsOf: $0, encoding: .utf8) }
        #expect(shown.count == files.count && Set(shown) == Set(files))
    }
}
