import Foundation
import NetworkEngine

/// All tables of a run, to be kept: as Markdown for people and as JSON for programs.
enum Report {
    private static let tables = Locked<[Table]>([])

    fileprivate static func add(_ table: Table) { tables.withLock { $0.append(table) } }

    /// Writes `benchmarks.md` and `benchmarks.json` into a folder.
    static func write(to folder: URL) throws {
        let tables = tables.withLock { $0 }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = tables.map(\.markdown).joined(separator: "\n")
        try Data(text.utf8).write(to: folder.appendingPathComponent("benchmarks.md"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(tables).write(to: folder.appendingPathComponent("benchmarks.json"))
    }
}

extension Table {
    /// Shows it, and keeps it for the report.
    func print() {
        Progress.end()
        Report.add(self)
        Swift.print(markdown)
    }
}
