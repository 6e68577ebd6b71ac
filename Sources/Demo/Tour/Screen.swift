import NetworkEngine
import TerminalProgress

/// Lays out the tour's lines in 80 columns.
///
/// Uses only colors that are legible on both light and dark terminals: the default color, bold, green and red.
struct Screen: Sendable {
    private enum Style: String { case bold = "1", green = "32", red = "31" }

    private static let width = 79
    private static let nameWidth = 12
    private static let indent = "   "
    private static let timeWidth = 9
    /// Moves to the start of the line and erases it.
    private static let erasure = "\r\u{1B}[K"

    let isPlain: Bool
    let write: @Sendable (String) -> Void

    func print(_ line: String = "") { write(line + "\n") }

    func heading(_ text: String) { print(styled(text, .bold)) }

    /// Shows that a step is running, until its result replaces the line.
    func begin(_ step: Step) {
        if !isPlain { write(Self.indent + step.name) }
    }

    /// A bar on the running step's line; invisible in plain output.
    func bar(for step: String) -> ProgressBar {
        ProgressBar(Self.indent + Self.padded(step, to: Self.nameWidth - 2), width: 14) { [self] text in
            if !isPlain { write(text == "\n" ? Self.erasure : text) }
        }
    }

    func end(_ step: Step, _ lines: [String], time: Duration) {
        result(step, styled(isPlain ? "ok" : "✓", .green), isPlain ? 2 : 1, lines, time)
    }

    /// Shows that a step failed. The reason is written to standard error.
    func fail(_ step: Step, time: Duration) {
        result(step, styled(isPlain ? "no" : "✗", .red), isPlain ? 2 : 1, ["failed"], time)
    }

    /// Shows a step's code.
    func code(_ lines: [String]) {
        print()
        for line in lines { print(line.isEmpty ? "" : Self.indent + line) }
        print()
    }

    /// Shows a name and its description.
    func entry(_ name: String, _ text: String, nameWidth: Int = nameWidth) {
        print(Self.indent + styled(name, .bold) + Self.gap(after: name.count, to: nameWidth) + text)
    }

    private func result(_ step: Step, _ mark: String, _ markWidth: Int, _ lines: [String], _ time: Duration) {
        let start = Self.indent.count + Self.nameWidth
        let textWidth = Self.width - start - Self.timeWidth
        var head = mark + Self.gap(after: markWidth, to: Self.indent.count)
        head += styled(step.name, .bold) + Self.gap(after: step.name.count, to: Self.nameWidth)
        let wrapped = lines.flatMap { Self.wrapped($0, to: textWidth) }
        let first = wrapped.first ?? ""
        let duration = time.inWords
        if !isPlain { write(Self.erasure) }
        print(head + first + Self.gap(after: start + first.count, to: Self.width - duration.count) + duration)
        for line in wrapped.dropFirst() { print(Self.gap(after: 0, to: start) + line) }
    }

    private func styled(_ text: String, _ style: Style) -> String {
        isPlain ? text : "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    private static func gap(after count: Int, to width: Int) -> String {
        String(repeating: " ", count: max(1, width - count))
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Breaks a text between words. A longer word is not broken.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
