import Foundation
import Testing

/// Tests that the table in `Tests/Promises.md` names existing tests and covers every promise.
@Suite(.timeLimit(.minutes(5))) struct PromiseTableTests {
    private struct Row {
        var promise: Int
        var suite: String
        var test: String
    }

    private static let tests = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized

    /// The lines `| 7 | what it says | Suite | the test's name |`.
    private static func rows() throws -> [Row] {
        let table = try String(contentsOf: tests.appendingPathComponent("Promises.md"), encoding: .utf8)
        return table.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let promise = Int(cells[0]) else { return nil }
            return Row(promise: promise, suite: cells[2], test: cells[3])
        }
    }

    /// The source of every suite, by the name of its file.
    private static func suites() -> [String: String] {
        var suites: [String: String] = [:]
        for case let file as URL in FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
            ?? .init()
        where file.pathExtension == "swift" {
            let name = file.deletingPathExtension().lastPathComponent
            suites[name, default: ""] += (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        }
        return suites
    }

    /// The promise numbers at the beginning of a test's name: `promise 7: …`, `promises 1, 6 and 13: …`.
    private static func numbers(in name: String) -> [Int] {
        guard name.hasPrefix("promise"), let colon = name.firstIndex(of: ":") else { return [] }
        return name[..<colon].split { !$0.isNumber }.compactMap { Int($0) }
    }

    @Test func `every promise from 1 to 36 has a test`() throws {
        let proven = Set(try Self.rows().map(\.promise))
        #expect(Set(1...36).subtracting(proven).sorted() == [])
    }

    @Test func `every test of the table exists, in the suite and under the number that the table says`() throws {
        let suites = Self.suites()
        for row in try Self.rows() {
            #expect(Self.numbers(in: row.test).contains(row.promise), "\(row.test)")
            #expect(suites[row.suite]?.contains("func `\(row.test)`") == true, "\(row.suite): \(row.test)")
        }
    }
}
