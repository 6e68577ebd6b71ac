@testable import NetworkEngine

/// A view model that takes its repository as a type and shows its request's state.
@MainActor final class UsersViewModel {
    enum State: Equatable {
        case idle, loading
        case loaded([User])
        case failed(AppError)
    }

    private(set) var state = State.idle {
        didSet { changes.yield(state) }
    }
    let states: AsyncStream<State>
    private let changes: AsyncStream<State>.Continuation
    private let repository: any UserRepository.Type
    private var running: [any NetworkRequest] = []

    init(repository: any UserRepository.Type) {
        self.repository = repository
        (states, changes) = AsyncStream.makeStream()
    }

    /// Loads with a callback.
    func load() {
        state = .loading
        let request = repository.fetchUsers(request: UserListRequest())
            .request(
                type: UserListResponse.self,
                onMain: { [weak self] result in
                    switch result {
                    case .success(let list): self?.state = .loaded(list.users)
                    case .failure(let error): self?.state = .failed(error)
                    }
                })
        running.append(request)
    }

    /// Loads with `await`.
    func loadUser(_ id: Int) async {
        state = .loading
        do {
            state = .loaded([try await repository.fetchUser(id: id).request(type: User.self)])
        } catch {
            state = .failed(error)
        }
    }

    func cancel() { running.cancel() }

    /// The next state that is neither idle nor loading.
    func settled() async -> State {
        for await state in states where state != .loading { return state }
        return state
    }
}
