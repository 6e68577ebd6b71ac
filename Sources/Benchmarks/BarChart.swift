import Foundation

/// Grouped bars, drawn as SVG. The colors are legible on white and on black.
struct BarChart: Sendable {
    struct Group: Sendable {
        let title: String
        var bars: [(name: String, value: Double)]
    }

    let title: String
    let caption: String
    var groups: [Group] = []

    private static let width = 760.0
    private static let label = 230.0
    private static let number = 80.0
    private static let step = 22.0

    var svg: String {
        let longest = groups.flatMap(\.bars).map(\.value).max() ?? 1
        var parts = [text(title, x: 0, y: 18, size: 16, weight: 600)]
        var y = 34.0
        for group in groups {
            y += 18
            parts.append(text(group.title, x: 0, y: y, size: 13, weight: 600))
            y += 8
            for (index, bar) in group.bars.enumerated() {
                let length = max(1, (Self.width - Self.label - Self.number) * bar.value / longest)
                let color =
                    bar.name.contains("provider over CurlTransport") || bar.name.hasPrefix("CurlTransport")
                    ? "#2f81f7" : "#8b949e"
                let middle = y + Self.step * Double(index) + 15
                parts.append(text(bar.name, x: Self.label - 10, y: middle, size: 12, anchor: "end"))
                parts.append(
                    "<rect x=\"\(Self.label)\" y=\"\((middle - 12).rounded(to: 1))\" width=\"\(length.rounded(to: 1))\""
                        + " height=\"16\" rx=\"2\" fill=\"\(color)\"/>")
                let value = bar.value.formatted(
                    .number.precision(.fractionLength(0)).locale(Locale(identifier: "en_US")))
                parts.append(text(value, x: Self.label + length + 6, y: middle, size: 12))
            }
            y += Self.step * Double(group.bars.count) + 4
        }
        y += 20
        parts.append(text(caption, x: 0, y: y, size: 11))
        let height = (y + 10).rounded(to: 0)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="760" height="\(height)" viewBox="0 0 760 \(height)" \
            font-family="-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" role="img">
            <title>\(escaped(title))</title>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private func text(
        _ text: String, x: Double, y: Double, size: Int, weight: Int = 400, anchor: String = "start"
    ) -> String {
        "<text x=\"\(x.rounded(to: 1))\" y=\"\(y.rounded(to: 1))\" font-size=\"\(size)\" font-weight=\"\(weight)\""
            + " text-anchor=\"\(anchor)\" fill=\"#768390\">\(escaped(text))</text>"
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
