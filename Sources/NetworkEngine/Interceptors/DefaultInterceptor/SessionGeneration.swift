import Foundation

/// Distinguishes one session from the next. Other code adds the session to requests.
struct SessionGeneration: Credential {
    var number = 0

    var next: SessionGeneration { SessionGeneration(number: number + 1) }
    var expiresAt: Date? { nil }

    func apply(to request: inout HTTPRequest) {}

    func isSetByHand(in request: HTTPRequest) -> Bool { false }
}

/// Stores the current generation. There always is one, because the store does not know whether a user is signed in.
struct SessionGenerationStore: CredentialStore {
    private let generation = Locked(SessionGeneration())

    func load() -> SessionGeneration? { generation.withLock { $0 } }

    func save(_ new: SessionGeneration?, replacing old: SessionGeneration?) -> Bool {
        generation.withLock { generation in
            guard generation == old else { return false }
            generation = new ?? generation.next
            return true
        }
    }
}
