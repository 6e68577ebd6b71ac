import Foundation
import Testing

/// Compares the tables in `Guarantees.md` with the tests.
@Suite(.timeLimit(.minutes(5))) struct PromiseTableTests {
    private struct Row {
        var promise: Int
        var suite: String
        var test: String
    }

    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized

    private static func article() throws -> [String] {
        let file = root.appendingPathComponent("Sources/NetworkEngine/NetworkEngine.docc/Guarantees.md")
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }

    /// The numbers of the lines `7. A second …`.
    private static func promises() throws -> [Int] {
        try article().compactMap { try #/^(\d+)\. /#.firstMatch(in: $0).flatMap { Int($0.1) } }
    }

    /// The lines ``| 7 | `Suite` | `the test's name` |``.
    private static func rows() throws -> [Row] {
        try article().compactMap { line in
            guard let match = try #/^\| (\d+) \| `([^`]+)` \| `([^`]+)` \|$/#.firstMatch(in: line) else { return nil }
            return Int(match.1).map { Row(promise: $0, suite: String(match.2), test: String(match.3)) }
        }
    }

    /// The source of each suite, by file name.
    private static func suites() -> [String: String] {
        var suites: [String: String] = [:]
        let tests = root.appendingPathComponent("Tests")
        for case let file as URL in FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
            ?? .init()
        where file.pathExtension == "swift" {
            let name = file.deletingPathExtension().lastPathComponent
            suites[name, default: ""] += (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        }
        return suites
    }

    @Test func `the promises are numbered in order`() throws {
        let promises = try Self.promises()
        #expect(promises.count > 50 && promises == Array(1...promises.count))
    }

    @Test func `every promise has a test`() throws {
        #expect(Set(try Self.rows().map(\.promise)) == Set(try Self.promises()))
    }

    @Test func `every row of a table is read`() throws {
        let lines = try Self.article().filter { $0.hasPrefix("| ") && $0 != "| Promise | File | Test |" }
        #expect(lines.count == (try Self.rows().count))
    }

    /// The last two columns of the table in `ReportedElsewhere.md`.
    private static func reports() throws -> [Row] {
        let file = root.appendingPathComponent("Sources/NetworkEngine/NetworkEngine.docc/ReportedElsewhere.md")
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").compactMap { line in
            try #/ \| `([^`]+)` \| `([^`]+)` \|$/#.firstMatch(in: line).map {
                Row(promise: 0, suite: String($0.1), test: String($0.2))
            }
        }
    }

    @Test func `every test of a report exists in its suite`() throws {
        let (reports, suites) = (try Self.reports(), Self.suites())
        #expect(reports.count == 7)
        for row in reports {
            #expect(suites[row.suite]?.contains("func `\(row.test)`") == true, "\(row.suite): \(row.test)")
        }
    }

    @Test func `every test of the tables exists in its suite`() throws {
        let suites = Self.suites()
        for row in try Self.rows() {
            #expect(suites[row.suite]?.contains("func `\(row.test)`") == true, "\(row.suite): \(row.test)")
        }
    }
}
