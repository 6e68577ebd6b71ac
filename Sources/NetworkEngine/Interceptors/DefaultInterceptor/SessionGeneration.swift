package import Foundation

/// Stands for a session that others put into requests; it only tells one from the next.
package struct SessionGeneration: Credential {
    private let number: Int

    package init() { number = 0 }

    private init(number: Int) { self.number = number }

    package var next: SessionGeneration { SessionGeneration(number: number + 1) }
    package var expiresAt: Date? { nil }

    package func apply(to request: inout HTTPRequest) {}

    package func isSetByHand(in request: HTTPRequest) -> Bool { false }
}

/// Knows which mark is current. There is always one: whether anybody is signed in is not known here.
struct SessionGenerationStore: CredentialStore {
    private let mark = Locked(SessionGeneration())

    func load() -> SessionGeneration? { mark.withLock { $0 } }

    func save(_ new: SessionGeneration?, replacing old: SessionGeneration?) -> Bool {
        mark.withLock { mark in
            guard mark == old else { return false }
            mark = new ?? mark.next
            return true
        }
    }
}
