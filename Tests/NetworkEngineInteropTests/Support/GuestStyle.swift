import Foundation
import NetworkEngineInterop

@testable import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The ways a guest makes calls through a client.
enum GuestStyle: CaseIterable {
    case calls, session

    /// Returns a guest's loader.
    func loader(_ rig: InteropRig) -> @Sendable (URLRequest) async throws -> (Data, HTTPURLResponse) {
        switch self {
        case .calls:
            return { [client = rig.client] request in
                let (data, response) = try await client.data(for: request)
                guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                return (data, response)
            }
        case .session:
            let guest = Guest(rig.routed)
            return { request in
                let value = try await guest.start(request).value
                return (value.data, value.response)
            }
        }
    }
}
