import Dispatch
import Fixtures
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Mocks that an app writes itself, and callbacks on queues.
@Suite(.timeLimit(.minutes(5))) struct NetworkRequestableTests {
    /// A request that calls back when it's canceled.
    private final class HeldRequest: NetworkRequest {
        private let onCancel: Locked<(@Sendable () -> Void)?>
        init(_ onCancel: @escaping @Sendable () -> Void) { self.onCancel = Locked(onCancel) }

        var isCancelled: Bool { onCancel.withLock { $0 == nil } }

        func cancel() {
            let onCancel = onCancel.withLock { onCancel in
                defer { onCancel = nil }
                return onCancel
            }
            onCancel?()
        }
    }

    /// A mock that implements only the callback.
    private enum Mock: NetworkRequestable {
        case answer(User), failure(AppError), twice, hang

        @discardableResult
        func request<T: Decodable & Sendable>(
            type: T.Type,
            callback: @escaping @Sendable (Result<T, AppError>) -> Void
        ) -> any NetworkRequest {
            switch self {
            case .answer(let user): callback((user as? T).map { .success($0) } ?? .failure(.notFound))
            case .failure(let error): callback(.failure(error))
            case .twice:
                callback(.failure(.offline))
                callback(.failure(.notFound))
            case .hang: return HeldRequest { callback(.failure(.cancelled)) }
            }
            return HeldRequest {}
        }
    }

    private enum Style: CaseIterable {
        case awaited, callback, main, queue

        func result(of target: some NetworkRequestable<AppError> & Sendable) async -> Result<User, AppError> {
            switch self {
            case .awaited:
                do throws(AppError) {
                    return .success(try await target.request(type: User.self))
                } catch {
                    return .failure(error)
                }
            case .callback:
                return await withCheckedContinuation { waiter in
                    target.request(type: User.self, callback: { waiter.resume(returning: $0) })
                }
            case .main:
                return await withCheckedContinuation { waiter in
                    target.request(type: User.self) { result in
                        MainActor.assertIsolated()
                        waiter.resume(returning: result)
                    }
                }
            case .queue:
                let queue = DispatchQueue(label: "test")
                return await withCheckedContinuation { waiter in
                    target.request(type: User.self, queue: queue) { result in
                        dispatchPrecondition(condition: .onQueue(queue))
                        waiter.resume(returning: result)
                    }
                }
            }
        }
    }

    private static let user = User(id: 7, firstName: "Ada")

    @Test(arguments: Style.allCases)
    private func `a mock that implements the callback alone serves each style`(style: Style) async {
        #expect(await style.result(of: Mock.answer(Self.user)) == .success(Self.user))
        #expect(await style.result(of: Mock.failure(.offline)) == .failure(.offline))
    }

    @Test func `a mock that calls back twice has its first result`() async {
        #expect(await Style.awaited.result(of: Mock.twice) == .failure(.offline))
    }

    @Test func `canceling the task cancels the request of the mock, before and after it began`() async {
        for isEarly in [false, true] {
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                if isEarly { for await _ in starts {} } else { start.yield() }
                return await Style.awaited.result(of: Mock.hang)
            }
            if !isEarly { for await _ in starts { break } }
            task.cancel()
            #expect(await task.value == .failure(.cancelled))
        }
    }

    @Test(arguments: Style.allCases)
    private func `live and mock repositories have the same results in each style`(style: Style) async {
        #expect(await style.result(of: LiveUsers.fetchUser(id: 1)) == .success(User(id: 1, firstName: "Ann")))
        #expect(await style.result(of: LiveUsers.fetchUser(id: 9)) == .failure(.notFound))
        #expect(await style.result(of: MockUsers.fetchUser(id: 1)) == .failure(.notFound))
    }

    @Test(arguments: [LiveUsers.self, MockUsers.self] as [any UserRepository.Type])
    func `after canceling on its queue a callback gets the error of a canceled call`(
        _ repository: any UserRepository.Type
    ) async {
        let queue = DispatchQueue(label: "test")
        let result = await withCheckedContinuation { waiter in
            queue.sync {
                let request = repository.fetchUser(id: 1).request(type: User.self, queue: queue) { result in
                    dispatchPrecondition(condition: .onQueue(queue))
                    waiter.resume(returning: result)
                }
                request.cancel()
            }
        }
        #expect(result == .failure(.cancelled))
    }
}
