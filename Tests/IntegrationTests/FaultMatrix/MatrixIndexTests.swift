import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct MatrixIndexTests {
    @Test func `each of the 128 cases has its place`() {
        #expect(Set(MatrixIndex.entries.flatMap(\.numbers)) == Set(1...128))
    }

    @Test func `what is said to be in a table is there, and nothing else`() {
        let listed = MatrixIndex.entries.filter { if case .table = $0.place { true } else { false } }.flatMap(\.numbers)
        #expect(Set(listed) == Set(MatrixIndex.tables.map(\.number)))
    }

    @Test func `no two rows have the same name, and each known difference has its row`() {
        let names = MatrixIndex.tables.map(\.id)
        #expect(names.count == Set(names).count)
        for wire in Wire.all { #expect(Set(wire.differences.keys).subtracting(names) == [], "\(wire)") }
    }

    @Test func `each test that is named is there`() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        for entry in MatrixIndex.entries {
            guard case .test(let file, let claim) = entry.place else { continue }
            let text = try String(contentsOf: tests.appendingPathComponent(file + ".swift"), encoding: .utf8)
            #expect(text.contains("func `" + claim), "\(entry.numbers) in \(file)")
        }
    }

    @Test func `a difference names the line that explains it`() {
        for line in Wire.all.flatMap(\.differences.values).map(\.line) {
            let number = line.split(separator: " ").last.flatMap { Int($0.drop { $0 == "L" }) }
            #expect(line.hasPrefix("L") || line.hasPrefix("linux "), "\(line)")
            #expect(number.map((0...20).contains) == true, "\(line)")
        }
    }
}
