import Foundation

/// The memory usage of this process over time.
struct Residence: CustomStringConvertible {
    private var noted: [Double] = []

    /// Records the current resident memory, if the system reports it in a file.
    mutating func note() throws {
        #if os(Linux)
        let status = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        guard let pages = status.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else { return }
        noted.append(pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576)
        #endif
    }

    /// How much the last quarter exceeds the second, in MiB; `nil` if the run is too short to measure.
    var growth: Double? {
        guard noted.count >= 40 else { return nil }
        let quarter = noted.count / 4
        return Self.median(noted.suffix(quarter)) - Self.median(noted[quarter..<2 * quarter])
    }

    var description: String {
        let steps = stride(from: 0, to: noted.count, by: max(1, noted.count / 10)).map { String(Int(noted[$0])) }
        return "resident, MiB: \(steps.joined(separator: " "))"
    }

    private static func median(_ values: ArraySlice<Double>) -> Double { values.sorted()[values.count / 2] }
}
