#if !canImport(FoundationNetworking)
import Foundation
import NetworkEngine
private func seededMistake(_ task: URLSessionWebSocketTask) async throws -> Int {
    switch try await task.receive() {
    case .data(let data): data.count
    case .string(let text): text.utf8.count
    }
}
#endif
