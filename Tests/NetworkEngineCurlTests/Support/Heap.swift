import Foundation

#if os(Linux)
/// Statistics from glibc's malloc.
enum Heap {
    /// The number of allocated bytes in all arenas.
    static func allocatedBytes() throws -> Int {
        let report = try report()
        let end = report.range(of: "</heap>", options: .backwards)?.upperBound ?? report.startIndex
        let totals = report.suffix(from: end)
        return sum("<system type=\"current\" size=\"", in: totals) - freed(in: totals)
    }

    private static func freed(in totals: Substring) -> Int {
        totals.split(separator: "\n").filter { $0.contains("\"fast\"") || $0.contains("\"rest\"") }
            .reduce(0) { $0 + sum(" size=\"", in: $1) }
    }

    private static func sum(_ mark: String, in text: Substring) -> Int {
        text.ranges(of: mark).reduce(0) { $0 + (Int(text[$1.upperBound...].prefix { $0.isNumber }) ?? 0) }
    }

    /// The XML of `malloc_info`, which Swift's Glibc module does not declare.
    private static func report() throws -> String {
        typealias Function = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        guard let symbol = dlsym(nil, "malloc_info"), let file = tmpfile() else {
            throw CocoaError(.featureUnsupported)
        }
        defer { fclose(file) }
        guard unsafeBitCast(symbol, to: Function.self)(0, file) == 0 else { throw CocoaError(.featureUnsupported) }
        rewind(file)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
#endif
