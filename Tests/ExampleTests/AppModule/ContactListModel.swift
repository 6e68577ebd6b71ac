import NetworkEngine
import NetworkEngineStreams

/// The list of contacts, with a search field, as a screen shows it.
@MainActor final class ContactListModel {
    private(set) var contacts: [Contact] = []
    private(set) var error: AppError?
    private(set) var hasMore = true
    private let service: ContactService
    private var pages: MappedSequence<Pages<Contact.Page>, AppError>.Iterator
    private var isLoading = false
    /// Counts the searches, so that a page of an earlier one is not shown.
    private var searches = 0
    var search = "" {
        didSet { restart() }
    }

    init(service: ContactService) {
        self.service = service
        pages = service.pages().makeAsyncIterator()
    }

    /// Called when the end of the list comes into view.
    func loadMore() async {
        guard !isLoading else { return }
        isLoading = true
        let search = searches
        do throws(AppError) {
            var rest = pages
            let page = try await rest.next()
            guard search == searches else { return }
            (pages, isLoading, hasMore) = (rest, false, page != nil)
            contacts += page?.contacts ?? []
        } catch {
            guard search == searches else { return }
            isLoading = false
            show(error)
        }
    }

    func delete(_ contact: Contact) async {
        do throws(AppError) {
            try await service.delete(contact.id)
            contacts.removeAll { $0.id == contact.id }
        } catch {
            show(error)
        }
    }

    /// Applies the changes of other devices until the task is canceled.
    func follow() async {
        do throws(AppError) {
            for try await change in service.changes where change.kind == "deleted" {
                contacts.removeAll { $0.id == change.id }
            }
        } catch {
            show(error)
        }
    }

    /// A screen that disappears cancels its tasks.
    private func show(_ error: AppError) {
        if error != .cancelled { self.error = error }
    }

    private func restart() {
        (contacts, error, hasMore, isLoading) = ([], nil, true, false)
        searches += 1
        pages = service.pages(search: search).makeAsyncIterator()
    }
}
