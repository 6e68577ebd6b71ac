import Foundation

@testable import NetworkEngine

/// The ways to make a call with a client.
enum ClientStyle: CaseIterable {
    case awaited, handle, main, queue

    func outcome<Value: Decodable & Sendable>(
        of endpoint: Endpoint,
        on client: HTTPClient,
        as type: Value.Type = Value.self
    ) async -> Result<Value, NetworkError> {
        switch self {
        case .awaited:
            do throws(NetworkError) {
                return .success(try await client.request(endpoint))
            } catch {
                return .failure(error)
            }
        case .handle: return await client.start(TypedEndpoint<Value>(endpoint)).result
        case .main:
            return await withCheckedContinuation { waiter in
                client.request(endpoint, as: type) { waiter.resume(returning: $0) }
            }
        case .queue:
            return await withCheckedContinuation { waiter in
                client.request(endpoint, as: type, queue: .global()) { waiter.resume(returning: $0) }
            }
        }
    }
}

extension Result {
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
