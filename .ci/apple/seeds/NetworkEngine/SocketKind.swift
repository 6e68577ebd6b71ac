#if canImport(Darwin)
import Darwin
private let seededMistake = Int32(SOCK_STREAM.rawValue)
#endif
