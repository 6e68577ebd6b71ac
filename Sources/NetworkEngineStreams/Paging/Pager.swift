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

    @ObservationIgnored private let begin: @Sendable () -> Reading
    @ObservationIgnored private var reading: Reading
    /// The page that is on its way.
    @ObservationIgnored private var loading: Load?
    /// Whether the next page replaces the items.
    @ObservationIgnored private var replaces = false

    /// One pass through the pages. Only one call at a time uses it.
    fileprivate typealias Reading = @Sendable () async throws(NetworkError) -> [Item]?

    /// Creates a pager of pages with items in them. Nothing is requested yet.
    public init<Page>(_ pages: Pages<Page>, items: @escaping @Sendable (Page) -> [Item]) {
        let begin: @Sendable () -> Reading = {
            let iterator = Locked(pages.makeAsyncIterator())
            return { () async throws(NetworkError) -> [Item]? in
                var next = iterator.withLock { $0 }
                let page = try await next.next()
                let moved = next
                iterator.withLock { $0 = moved }
                return page.map(items)
            }
        }
        self.begin = begin
        reading = begin()
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
        if loading == nil { load() }
        await wait()
    }

    /// Begins again with the first page. The items stay until it is there.
    public func reload() async {
        replaces = true
        reading = begin()
        loading?.task.cancel()
        load()
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
        var task = Task<Void, Never> {}
        var waiters = 0
    }

    private func load() {
        state = .loading
        let load = Load()
        let reading = reading
        load.task = Task { [weak self] in
            let result: Result<[Item]?, NetworkError>
            do throws(NetworkError) {
                result = .success(try await reading())
            } catch {
                result = .failure(error)
            }
            self?.loaded(result, by: load)
        }
        loading = load
    }

    private func loaded(_ result: Result<[Item]?, NetworkError>, by load: Load) {
        guard loading === load else { return }
        loading = nil
        switch result {
        case .success(let page):
            if replaces { items = [] }
            items += page ?? []
            replaces = false
            state = page == nil ? .finished : .idle
        case .failure(let error): state = error.kind == .cancelled ? .idle : .failed(error)
        }
    }
}
