#if canImport(Darwin)
import Darwin
private let seededMistake = MSG_NOSIGNAL
#endif
