import NetworkEngine

/// The list of contacts, with a search field, as a screen shows it.
@MainActor final class ContactListModel {
    private(set) var contacts: [Contact] = []
    private(set) var error: AppError?
    private(set) var hasMore = true
    private let service: ContactService
    private var pages: MappedSequence<Pages<Contact.Page>, AppError>.Iterator
    var search = "" {
        didSet { restart() }
    }

    init(service: ContactService) {
        self.service = service
        pages = service.pages().makeAsyncIterator()
    }

    /// Called when the end of the list comes into view.
    func loadMore() async {
        do throws(AppError) {
            var rest = pages
            guard let page = try await rest.next() else { return hasMore = false }
            pages = rest
            contacts += page.contacts
        } catch {
            self.error = error
        }
    }

    func delete(_ contact: Contact) async {
        do throws(AppError) {
            try await service.delete(contact.id)
            contacts.removeAll { $0.id == contact.id }
        } catch {
            self.error = error
        }
    }

    /// Applies the changes of other devices until the task is cancelled.
    func follow() async {
        do throws(AppError) {
            for try await change in service.changes where change.kind == "deleted" {
                contacts.removeAll { $0.id == change.id }
            }
        } catch {
            self.error = error
        }
    }

    private func restart() {
        (contacts, error, hasMore) = ([], nil, true)
        pages = service.pages(search: search).makeAsyncIterator()
    }
}
