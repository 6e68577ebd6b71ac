package import Foundation

/// Stands for a session that others put into requests; it only tells one from the next.
package struct SessionMark: Credential {
    private let number: Int

    package init() { number = 0 }

    private init(number: Int) { self.number = number }

    package var next: SessionMark { SessionMark(number: number + 1) }
    package var expiresAt: Date? { nil }

    package func apply(to request: inout HTTPRequest) {}

    package func isSetByHand(in request: HTTPRequest) -> Bool { false }
}

/// Knows which mark is current. There is always one: whether anybody is signed in is not known here.
struct SessionMarkStore: CredentialStore {
    private let mark = Locked(SessionMark())

    func load() -> SessionMark? { mark.withLock { $0 } }

    func save(_ new: SessionMark?, replacing old: SessionMark?) -> Bool {
        mark.withLock { mark in
            guard mark == old else { return false }
            mark = new ?? mark.next
            return true
        }
    }
}
