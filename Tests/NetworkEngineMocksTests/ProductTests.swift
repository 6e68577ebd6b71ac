import Foundation
import Testing

/// The dependencies of the mocks' sources, and of an app that uses them for previews.
@Suite(.timeLimit(.minutes(5))) struct ProductTests {
    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized

    /// The text of every source file in a folder.
    private static func sources(in folder: String) throws -> [String] {
        let folder = root.appendingPathComponent(folder)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try files.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    }

    private static var imported: Regex<(Substring, Substring)> {
        #/(?:^|\n)(?:@\w+ )*(?:public |package |internal )?import (?:struct |func |class )?(\w+)/#
    }

    @Test(
        arguments: [
            ("Sources/NetworkEngineMocks", ["Dispatch"]),
            ("Tests/PreviewTests", ["NetworkEngineMocks", "Testing"]),
        ] as [(String, Set<String>)]
    )
    func `mocks and previews import neither sockets nor the test tools`(folder: String, others: Set<String>) throws {
        let modules = try Self.sources(in: folder).flatMap { $0.matches(of: Self.imported).map { String($0.1) } }
        #expect(Set(modules) == others.union(["Foundation", "NetworkEngine", "NetworkEngineGraphQL"]))
    }

    @Test func `the search finds imports of every kind`() {
        let text = "@_exported public import A\n#if x\nimport B\n#endif\npackage import func C.socket\n// import D"
        #expect(text.matches(of: Self.imported).map { String($0.1) } == ["A", "B", "C"])
    }

    @Test func `mocks call no function of sockets`() throws {
        let calls = #/(?:^|[^.\w])(?:socket|bind|listen|accept4?|connect|getaddrinfo|sendto|recvfrom)\(/#
        #expect("let file = socket(AF_INET, 0, 0)".contains(calls))
        #expect(try Self.sources(in: "Sources/NetworkEngineMocks").filter { $0.contains(calls) }.isEmpty)
    }
}
