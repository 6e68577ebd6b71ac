#if canImport(Network)
import Network
func seededMistake(_ monitor: NWPathMonitor) { monitor.begin() }
#endif
