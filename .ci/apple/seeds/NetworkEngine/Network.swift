#if canImport(Network)
import Network
private func seededMistake(_ monitor: NWPathMonitor) { monitor.begin() }
#endif
