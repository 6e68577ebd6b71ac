import NetworkEngine

/// The model for a screen with a list of users. It makes requests and reports its state with callbacks.
@MainActor package final class UserListModel {
    package enum State: Equatable {
        case idle, loading
        case loaded([User])
        case failed(DirectoryError)
    }

    package private(set) var state = State.idle {
        didSet { onChange?(state) }
    }
    package var onChange: ((State) -> Void)?
    private let users: any UserRepository.Type
    private var running: [any NetworkRequest] = []

    package init(users: any UserRepository.Type) { self.users = users }

    /// Starts loading and cancels an earlier load.
    package func load(page: Int = 1) {
        running.cancel()
        state = .loading
        let request = users.fetchUsers(request: UserListRequest(page: page))
            .request(
                type: UserList.self,
                onMain: { [weak self] result in
                    switch result {
                    case .success(let list): self?.state = .loaded(list.users)
                    case .failure(.cancelled): break
                    case .failure(let error): self?.state = .failed(error)
                    }
                })
        running = [request]
    }

    /// Cancels the load when the screen closes.
    package func close() {
        running.cancel()
        state = .idle
    }
}
