public import NetworkEngine
public import Observation

/// The items of a list that grows while a screen is scrolled, for a view or a model.
///
/// ```swift
/// let pager = Pager(client.pages(of: [User].self, from: .get("/users"), by: .link))
/// await pager.loadMore()                       // when the end of the list appears
/// await pager.reload()                         // when the user pulls the list down
/// ```
/// A page that arrives after a reload began does not change the items. After a failure, `loadMore()` asks for the same
/// page again.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor @Observable public final class Pager<Item: Sendable> {
    /// What the pager does.
    public enum State: Sendable {
        /// There may be another page.
        case idle
        /// A page is on its way.
        case loading
        /// The last page could not be loaded. The items before it are kept.
        case failed(NetworkError)
        /// There are no more pages.
        case finished
    }

    /// The items of all pages that were loaded.
    public private(set) var items: [Item] = []
    /// What the pager does.
    public private(set) var state = State.idle

    @ObservationIgnored private let first: Place
    /// The page to load next.
    @ObservationIgnored private var goal: Goal
    /// The page that is on its way.
    @ObservationIgnored private var loading: Load?

    /// A place in the pages.
    fileprivate struct Place: Sendable {
        /// Returns the items of the page at this place, and the place after it; `nil` after the last page.
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

    /// Creates a pager of pages with items in them. Nothing is requested yet.
    public init<Page>(_ pages: Pages<Page>, items: @escaping @Sendable (Page) -> [Item]) {
        first = Place(pages.makeAsyncIterator(), items)
        goal = Goal(place: first)
    }

    /// Creates a pager of pages that are arrays.
    public convenience init(_ pages: Pages<[Item]>) { self.init(pages) { $0 } }

    /// Loads the next page, and returns when it is there or has failed.
    ///
    /// While a page is on its way, a second call waits for it. After the last page it does nothing. When all tasks that
    /// wait for a page are canceled, it is not loaded.
    public func loadMore() async {
        // A page that was given up may have arrived nevertheless.
        while let ending = loading, ending.task.isCancelled { await ending.task.value }
        if case .finished = state { return }
        if Task.isCancelled { return }
        if loading == nil { load(goal) }
        await wait()
    }

    /// Begins again with the first page. The items stay until it is there.
    ///
    /// A reload leaves the pager as it was if all tasks that wait for it are canceled. SwiftUI cancels the task of
    /// `refreshable` when its view goes away.
    public func reload() async {
        if Task.isCancelled { return }
        load(Goal(place: first, replaces: true))
        await wait()
    }

    /// Waits for the page that is on its way, or for the one that takes its place.
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

    /// A task that waits was canceled. The page is given up if no other task waits for it.
    private func leave(_ load: Load) {
        load.waiters -= 1
        if load.waiters == 0 { load.task.cancel() }
    }

    /// A page that is on its way.
    @MainActor private final class Load {
        let goal: Goal
        /// The state before, to which the pager returns if the page is given up.
        let before: State
        var task = Task<Void, Never> {}
        var waiters = 0

        init(_ goal: Goal, before: State) { (self.goal, self.before) = (goal, before) }
    }

    /// Loads a page, in place of one that is on its way.
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
