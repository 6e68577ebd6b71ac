import Foundation
import NetworkEngine

/// The tables from a run, as Markdown and as JSON.
enum Report {
    private static let tables = Locked<[Table]>([])
    private static let charts = Locked<[String: BarChart]>([:])

    fileprivate static func add(_ table: Table) { tables.withLock { $0.append(table) } }

    /// Adds a picture, which is written as `name.svg`.
    static func add(_ chart: BarChart, named name: String) { charts.withLock { $0[name] = chart } }

    /// Writes `benchmarks.md`, `benchmarks.json` and the pictures into a folder.
    static func write(to folder: URL) throws {
        let tables = tables.withLock { $0 }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, chart) in charts.withLock({ $0 }) {
            try Data(chart.svg.utf8).write(to: folder.appendingPathComponent("\(name).svg"))
        }
        let text = ([Machine.line + "\n"] + tables.map(\.markdown)).joined(separator: "\n")
        try Data(text.utf8).write(to: folder.appendingPathComponent("benchmarks.md"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(tables).write(to: folder.appendingPathComponent("benchmarks.json"))
    }
}

extension Table {
    /// Prints the table and adds it to the report.
    func print() {
        Progress.end()
        Report.add(self)
        Swift.print(markdown)
    }
}

/// Rows of figures in columns, printed as Markdown.
struct Table: Codable, Sendable {
    let title: String
    let columns: [String]
    private(set) var rows: [[String]] = []

    init(_ title: String, columns: [String]) {
        self.title = title
        self.columns = columns
    }

    mutating func add(_ cells: String...) { rows.append(cells) }

    var markdown: String {
        let widths = columns.indices.map { index in
            ([columns] + rows).map { $0.indices.contains(index) ? $0[index].count : 0 }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).enumerated().map { index, cell in
                let gap = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
                return index == 0 ? cell.0 + gap : gap + cell.0
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let separator = "|" + widths.enumerated().map { rule($1, isFirst: $0 == 0) }.joined(separator: "|") + "|"
        return (["", title, "", line(columns), separator] + rows.map(line)).joined(separator: "\n")
    }

    private func rule(_ width: Int, isFirst: Bool) -> String {
        String(repeating: "-", count: width + 1) + (isFirst ? "-" : ":")
    }
}

extension Double {
    func rounded(to places: Int) -> String { String(format: "%.\(places)f", self) }
}

extension Sequence<Double> {
    var median: Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return .nan }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

extension Duration {
    var microseconds: Double { self / .microseconds(1) }
    var seconds: Double { self / .seconds(1) }
}

/// Progress messages on standard error.
enum Progress {
    private static let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1

    static func show(_ text: String) {
        if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8)) }
    }

    static func end() { show("") }
}
