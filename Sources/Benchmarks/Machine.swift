import Foundation

/// The machine that a run was measured on.
enum Machine {
    /// The date, the processor and the system, in one line.
    static var line: String {
        let day = Date.now.formatted(.iso8601.year().month().day())
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return "\(day), \(cores) cores of \(processor), \(ProcessInfo.processInfo.operatingSystemVersionString)"
    }

    private static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        return name ?? "an unknown processor"
    }
}
