public import NetworkEngine
public import Observation

/// The items of a list that grows as the user scrolls, for a view or a model.
///
/// ```swift
/// let pager = Pager(client.pages(of: [User].self, from: .get("/users"), by: .link))
/// await pager.loadMore()                       // when the end of the list appears
/// await pager.reload()                         // when the user pulls the list down
/// ```
/// A page that arrives after a reload started does not change the items. After a failure, `loadMore()` requests the
/// same page again.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable public final class Pager<Item: Sendable> {
    /// The state of a pager.
    public enum State: Sendable {
        /// There may be another page.
        case idle
        /// A page is being loaded.
        case loading
        /// The last page could not be loaded. Earlier items are kept.
        case failed(NetworkError)
        /// There are no more pages.
        case finished
    }

    /// The items of all loaded pages.
    public private(set) var items: [Item] = []
    /// The current state.
    public private(set) var state = State.idle

    @ObservationIgnored private let first: Place
    /// The page to load next.
    @ObservationIgnored private var goal: Goal
    /// The page being loaded.
    @ObservationIgnored private var loading: Load?

    /// A position in the pages.
    fileprivate struct Place: Sendable {
        /// Returns the items of the page at this position, and the next position; `nil` after the last page.
        let load: @Sendable () async throws(NetworkError) -> (items: [Item], next: Place)?

        init<Page>(_ pages: Pages<Page>.Iterator, _ items: @escaping @Sendable (Page) -> [Item]) {
            load = { () async throws(NetworkError) in
                var pages = pages
                guard let page = try await pages.next() else { return nil }
                return (items(page), Place(pages, items))
            }
        }
    }

    fileprivate struct Goal {
        var place: Place
        /// Whether the page replaces the items.
        var replaces = false
    }

    /// Creates a pager for pages that contain items. Nothing is requested yet.
    public init<Page>(_ pages: Pages<Page>, items: @escaping @Sendable (Page) -> [Item]) {
        first = Place(pages.makeAsyncIterator(), items)
        goal = Goal(place: first)
    }

    /// Creates a pager for pages that are arrays.
    public convenience init(_ pages: Pages<[Item]>) { self.init(pages) { $0 } }

    /// Loads the next page, and returns when it has arrived or failed.
    ///
    /// While a page is being loaded, further calls wait for it. After the last page it does nothing. If all tasks that
    /// wait for a page are canceled, it is not loaded.
    public func loadMore() async {
        // An abandoned page may still have arrived.
        while let ending = loading, ending.task.isCancelled { await ending.task.value }
        if case .finished = state { return }
        if Task.isCancelled { return }
        if loading == nil { load(goal) }
        await wait()
    }

    /// Starts over with the first page. The items are kept until it has arrived.
    ///
    /// If all tasks that wait for a reload are canceled, the pager is unchanged. SwiftUI cancels the task of
    /// `refreshable` when its view disappears.
    public func reload() async {
        if Task.isCancelled { return }
        load(Goal(place: first, replaces: true))
        await wait()
    }

    /// Waits for the page being loaded, or for the one that replaces it.
    private func wait() async {
        while let current = loading, !Task.isCancelled {
            current.waiters += 1
            await withTaskCancellationHandler {
                await current.task.value
            } onCancel: {
                Task { @MainActor in self.leave(current) }
            }
        }
    }

    /// A waiting task was canceled. The page is abandoned if no other task waits for it.
    private func leave(_ load: Load) {
        load.waiters -= 1
        if load.waiters == 0 { load.task.cancel() }
    }

    /// A page being loaded.
    @MainActor private final class Load {
        let goal: Goal
        /// The previous state, which the pager returns to if the page is abandoned.
        let before: State
        var task = Task<Void, Never> {}
        var waiters = 0

        init(_ goal: Goal, before: State) { (self.goal, self.before) = (goal, before) }
    }

    /// Loads a page, replacing one that is being loaded.
    private func load(_ goal: Goal) {
        let load = Load(goal, before: loading?.before ?? state)
        loading?.task.cancel()
        loading = load
        state = .loading
        load.task = Task { [weak self] in
            let result: Result<(items: [Item], next: Place)?, NetworkError>
            do throws(NetworkError) {
                result = .success(try await goal.place.load())
            } catch {
                result = .failure(error)
            }
            self?.loaded(result, by: load)
        }
    }

    private func loaded(_ result: Result<(items: [Item], next: Place)?, NetworkError>, by load: Load) {
        guard loading === load else { return }
        loading = nil
        switch result {
        case .success(let page):
            items = (load.goal.replaces ? [] : items) + (page?.items ?? [])
            goal = Goal(place: page?.next ?? load.goal.place)
            state = page == nil ? .finished : .idle
        case .failure(let error) where error.kind == .cancelled:
            state = load.before
        case .failure(let error):
            goal = load.goal
            state = .failed(error)
        }
    }
}
