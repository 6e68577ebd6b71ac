import NetworkEngine

/// The model for a screen with one user. It awaits the response and reports its state with a stream.
@MainActor package final class UserModel {
    package enum State: Equatable {
        case idle, loading
        case loaded(User)
        case failed(DirectoryError)
    }

    package private(set) var state = State.idle {
        didSet { changes.yield(state) }
    }
    /// The state changes, for one listener.
    package let states: AsyncStream<State>
    private let changes: AsyncStream<State>.Continuation
    private let users: any UserRepository.Type

    package init(users: any UserRepository.Type) {
        self.users = users
        (states, changes) = AsyncStream.makeStream()
    }

    /// Loads a user. Canceling the awaiting task cancels the request.
    package func load(_ id: Int) async {
        state = .loading
        do {
            state = .loaded(try await users.fetchUser(id: id).request(type: User.self))
        } catch {
            state = error == .cancelled ? .idle : .failed(error)
        }
    }
}
