import Foundation

#if canImport(os)
import os
#endif

/// The system log: the unified log on Apple platforms, standard error elsewhere.
enum SystemLog {
    #if canImport(os)
    private static let logger = Logger(subsystem: "NetworkEngine", category: "requests")

    static func write(_ text: String, isFailure: Bool) {
        logger.log(level: isFailure ? .error : .info, "\(text, privacy: .public)")
    }
    #else
    static func write(_ text: String, isFailure: Bool) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
    #endif
}
