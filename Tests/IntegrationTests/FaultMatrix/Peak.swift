import Foundation

#if os(Linux)
/// The peak resource usage of this process.
enum Peak {
    struct Unreadable: Error {}

    /// The kernel's count of memory in bytes since the program started.
    static func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kibibytes = line?.split(separator: " ").compactMap({ Int($0) }).first else { throw Unreadable() }
        return kibibytes << 10
    }

    /// The CPU time of all threads.
    static func processorTime() throws -> Duration {
        let fields = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8).split(separator: ")").last?.split(
            separator: " ")
        // The 14th and 15th fields, in hundredths of a second.
        guard let fields, fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
            throw Unreadable()
        }
        return .milliseconds(10 * (user + system))
    }
}
#endif
