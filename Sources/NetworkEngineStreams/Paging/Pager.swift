public import NetworkEngine
public import Observation

/// The items of a list that grows while a screen is scrolled, for a view or a model.
///
/// ```swift
/// let pager = Pager(client.pages(of: [User].self, from: .get("/users"), by: .link))
/// await pager.loadMore()                       // when the end of the list appears
/// await pager.reload()                         // when the user pulls the list down
/// ```
/// A page that arrives after a reload began does not change the items. After a failure, `loadMore()` asks for the same page
/// again.
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
    @ObservationIgnored private var loading: Task<Void, Never>?
    @ObservationIgnored private var version = 0

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
    /// While a page is on its way, a second call waits for it. After the last page it does nothing. If the task that calls
    /// it is canceled, the page is not loaded.
    public func loadMore() async {
        if case .finished = state { return }
        await wait(for: loading ?? load())
    }

    /// Begins again with the first page. The items stay until it is there.
    public func reload() async {
        version += 1
        loading?.cancel()
        reading = begin()
        await wait(for: load(replacing: true))
    }

    private func wait(for task: Task<Void, Never>) async {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func load(replacing: Bool = false) -> Task<Void, Never> {
        state = .loading
        let (reading, version) = (reading, version)
        let task = Task { [weak self] in
            let result: Result<[Item]?, NetworkError>
            do throws(NetworkError) { result = .success(try await reading()) } catch { result = .failure(error) }
            self?.loaded(result, version, replacing: replacing)
        }
        loading = task
        return task
    }

    private func loaded(_ result: Result<[Item]?, NetworkError>, _ version: Int, replacing: Bool) {
        guard version == self.version else { return }
        loading = nil
        switch result {
        case .success(let page?):
            if replacing { items = page } else { items += page }
            state = .idle
        case .success(nil):
            if replacing { items = [] }
            state = .finished
        case .failure(let error): state = error.kind == .cancelled ? .idle : .failed(error)
        }
    }
}
