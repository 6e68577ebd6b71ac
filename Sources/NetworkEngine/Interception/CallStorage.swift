/// What the interceptors of a call remember of it from hook to hook and from attempt to attempt.
///
/// A note belongs to whoever wrote it; nobody else's is in its way.
package struct CallStorage: Sendable {
    private struct State {
        var replays = 0
        var notes: [(owner: ObjectIdentifier, note: any Sendable)] = []
    }

    private let state = Locked(State())

    package init() {}

    /// The same notes for another call.
    package var copy: CallStorage {
        let copy = CallStorage()
        let notes = state.withLock { $0.notes }
        copy.state.withLock { $0.notes = notes }
        return copy
    }

    /// How many attempts were granted beyond the limit.
    package var replays: Int { state.withLock { $0.replays } }

    /// Lets the call make one attempt that does not count.
    package func grantReplay() { state.withLock { $0.replays += 1 } }

    /// What an owner has noted last.
    package func note<Note: Sendable>(of owner: ObjectIdentifier, as type: Note.Type = Note.self) -> Note? {
        state.withLock { state in
            // Whoever has written nothing is not to pay for a cast.
            guard let note = state.notes.first(where: { $0.owner == owner })?.note else { return nil }
            return note as? Note
        }
    }

    /// Puts a note in the place of the owner's last.
    package func write(_ note: some Sendable, by owner: ObjectIdentifier) {
        state.withLock { state in
            if let index = state.notes.firstIndex(where: { $0.owner == owner }) {
                state.notes[index].note = note
            } else {
                state.notes.append((owner, note))
            }
        }
    }
}
