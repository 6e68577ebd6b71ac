import Foundation

/// An article's code blocks for this framework, and the marked parts of the test file that run them.
struct Samples {
    let inArticle: [String]
    let inTests: [String]
    /// Code blocks for other libraries without an equivalent in this framework.
    let unanswered: Int

    /// - Parameter name: the name that the article and the test file share: `ComingFromMoya`.
    init(of name: String) throws {
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
        let article = package.appendingPathComponent("Sources/NetworkEngine/NetworkEngine.docc/\(name).md")
        let tests = package.appendingPathComponent("Tests/ExampleTests/ComingFrom/\(name)Tests.swift")
        let blocks = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```").enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
        let own = "swift\n// NetworkEngine\n"
        inArticle = blocks.filter { $0.hasPrefix(own) }.map { String($0.dropFirst(own.count).dropLast()) }
        unanswered = zip(blocks, blocks.dropFirst() + [""]).count { !$0.hasPrefix(own) && !$1.hasPrefix(own) }
        inTests = try String(contentsOf: tests, encoding: .utf8).markedSamples
    }
}

extension String {
    /// The lines between `// sample` and `// end`, without their common indentation.
    var markedSamples: [String] {
        var samples: [String] = []
        var lines: [Substring]?
        for line in split(separator: "\n", omittingEmptySubsequences: false) {
            switch line.drop(while: { $0 == " " }) {
            case "// sample": lines = []
            case "// end":
                if let lines { samples.append(lines.withoutSharedIndent.joined(separator: "\n")) }
                lines = nil
            default: lines?.append(line)
            }
        }
        return samples
    }
}

extension [Substring] {
    fileprivate var withoutSharedIndent: [Substring] {
        let indents = filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        return map { $0.dropFirst(Swift.min(indents.min() ?? 0, $0.count)) }
    }
}
