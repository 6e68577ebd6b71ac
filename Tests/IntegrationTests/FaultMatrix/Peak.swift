import Foundation

#if os(Linux)
/// What this process has used at most so far.
enum Peak {
    struct Unreadable: Error {}

    /// Bytes of memory, as the kernel counts them since the program began.
    static func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let kibibytes = line?.split(separator: " ").compactMap({ Int($0) }).first else { throw Unreadable() }
        return kibibytes << 10
    }

    /// Processor time of all threads.
    static func processorTime() throws -> Duration {
        let fields = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8).split(separator: ")").last?.split(
            separator: " ")
        // The 14th and 15th of all, in hundredths of a second.
        guard let fields, fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
            throw Unreadable()
        }
        return .milliseconds(10 * (user + system))
    }
}
#endif
