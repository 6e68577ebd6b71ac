import Foundation

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
