/// A number of bytes as people read it: `999 B`, `1.2 MB`.
struct ByteWords: Sendable {
    let text: String

    init(_ count: Int64) {
        guard count >= 1000 else {
            text = "\(count) B"
            return
        }
        var (tenths, units) = (count / 100, ["kB", "MB", "GB", "TB", "PB", "EB"][...])
        while tenths >= 10_000, units.count > 1 {
            tenths /= 1000
            units = units.dropFirst()
        }
        text = "\(tenths / 10).\(tenths % 10) \(units.first ?? "")"
    }
}
