import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct MatrixIndexTests {
    private static let root = URL(filePath: #filePath).appendingPathComponent("../../../..").standardized

    @Test func `every row of the tables has a name of its own`() {
        let names = MatrixIndex.tables.map(\.id)
        #expect(names.count == Set(names).count, "\(Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys)")
    }

    @Test func `every known difference belongs to a row of the tables`() {
        let names = Set(MatrixIndex.tables.map(\.id))
        for wire in Wire.every { #expect(Set(wire.differences.keys).subtracting(names) == [], "\(wire)") }
    }

    @Test func `every fault outside the tables has a test that exists`() throws {
        for (suite, proofs) in MatrixIndex.tests {
            let text = try String(contentsOf: Self.root.appendingPathComponent("Tests/\(suite).swift"), encoding: .utf8)
            for (fault, test) in proofs { #expect(text.contains("func `\(test)`"), "\(fault) in \(suite)") }
        }
    }

    @Test func `every known difference names a heading of the article on Linux`() throws {
        let article = Self.root.appendingPathComponent("Sources/NetworkEngine/NetworkEngine.docc/Linux.md")
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
        let headings = Set(lines.filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) })
        var named = Wire.every.flatMap(\.differences.values).map(\.heading)
        #if canImport(FoundationNetworking)
        named += URLSessionKnownLimits.all.map(\.heading)
        #endif
        #expect(Set(named).subtracting(headings) == [])
    }
}
