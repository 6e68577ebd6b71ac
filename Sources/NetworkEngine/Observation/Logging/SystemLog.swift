import Foundation

#if canImport(os)
import os
#endif

/// The log of the system: the unified log on Apple platforms, the standard error elsewhere.
enum SystemLog {
    #if canImport(os)
    private static let logger = Logger(subsystem: "NetworkEngine", category: "requests")

    static func write(_ entry: RequestLogger.Entry) {
        logger.log(level: entry.outcome == .failed ? .error : .info, "\(entry.text, privacy: .public)")
    }
    #else
    static func write(_ entry: RequestLogger.Entry) {
        FileHandle.standardError.write(Data((entry.text + "\n").utf8))
    }
    #endif
}
