#if canImport(Darwin)
import Darwin
private func seededMistake(_ status: stat) -> Int { status.st_mtim.tv_sec }
#endif
