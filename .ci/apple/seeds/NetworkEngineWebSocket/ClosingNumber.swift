#if !canImport(FoundationNetworking)
import Foundation
import NetworkEngine
// The code is an enum.
private func seededMistake(_ task: URLSessionWebSocketTask) { task.cancel(with: 1000, reason: nil) }
#endif
