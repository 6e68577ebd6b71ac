import NetworkEngine
import Testing

final class UsersViewModel {
    enum State: Equatable {
        case loading
        case loaded([User])
        case failed(AppError)
    }

    private(set) var state = State.loading
    private let repository: any UserRepository.Type
    private var request: (any NetworkRequest)?

    init(repository: any UserRepository.Type) { self.repository = repository }

    /// Loads with a callback.
    func load(then done: @escaping () -> Void) {
        let users = repository.fetchUsers(request: UserListRequest())
        request = users.request(type: UserListResponse.self) { [weak self] result in
            self?.show(result)
            done()
        }
    }

    /// Loads with `await`.
    func reload() async {
        let users = repository.fetchUsers(request: UserListRequest())
        do {
            show(.success(try await users.request(type: UserListResponse.self)))
        } catch {
            show(.failure(error))
        }
    }

    func cancel() { request?.cancel() }

    private func show(_ result: Result<UserListResponse, AppError>) {
        switch result {
        case .success(let list): state = .loaded(list.users)
        case .failure(let error): state = .failed(error)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct MainActorRepositoryTests {
    @Test(arguments: [(LiveUsers.self, 1), (MockUsers.self, 10)] as [(any UserRepository.Type, Int)])
    func `a view model loads by callback and by waiting`(_ repository: any UserRepository.Type, count: Int) async {
        let model = UsersViewModel(repository: repository)
        await withCheckedContinuation { continuation in model.load { continuation.resume() } }
        guard case .loaded(let users) = model.state else { return #expect(model.state == .loaded([])) }
        #expect(users.count == count)
        await model.reload()
        #expect(model.state == .loaded(users))
    }

    @Test func `a live request that is canceled on the main actor ends as canceled`() async {
        let model = UsersViewModel(repository: LiveUsers.self)
        await withCheckedContinuation { continuation in
            model.load { continuation.resume() }
            model.cancel()
        }
        #expect(model.state == .failed(.cancelled))
    }
}
