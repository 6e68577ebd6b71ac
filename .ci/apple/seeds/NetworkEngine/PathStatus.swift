#if canImport(Network)
import Network
// A newer system may add a status.
private func seededMistake(_ path: NWPath) -> Bool {
    switch path.status {
    case .satisfied: true
    case .unsatisfied, .requiresConnection: false
    }
}
#endif
