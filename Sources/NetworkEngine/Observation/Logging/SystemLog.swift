import Foundation

#if canImport(os)
import os
#endif

/// The log of the system: the unified log on Apple platforms, the standard error elsewhere.
enum SystemLog {
    #if canImport(os)
    private static let logger = Logger(subsystem: "NetworkEngine", category: "requests")

    static func write(_ message: String) { logger.info("\(message, privacy: .public)") }
    #else
    static func write(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }
    #endif
}
