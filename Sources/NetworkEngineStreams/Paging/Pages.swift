import Foundation
public import NetworkEngine

/// The pages of a list, requested one at a time as they are read.
///
/// ```swift
/// for try await page in client.pages(of: UserPage.self, from: .get("/users"), by: .cursor("after", \.nextCursor)) {
///     show(page.users)
/// }
/// ```
/// Each page is requested only when it is awaited, including the first one. Breaking out of the loop stops further
/// requests. Each page is a separate call with its own attempts and deadline. All pages of an iterator belong to the
/// user of the first one: if another user has signed in since, the next page fails with an `.authentication` error. An
/// iterator that started without a user continues as the user who signs in.
///
/// An iterator is a value. A list that loads another page on scrolling keeps one:
///
/// ```swift
/// var next = pages                               // a property of the model: Pages<UserPage>.Iterator
/// if let page = try await next.next() { users += page.users }
/// pages = next
/// ```
public struct Pages<Page: Sendable>: AsyncSequence, Sendable {
    /// The maximum number of pages to request.
    ///
    /// If there is another page after that, the sequence throws a `.limit` error, because a server could return pages
    /// endlessly. To stop after some pages without an error, use `prefix(_:)`.
    public var limit = 1_000

    private let first: PageRequest<Page>

    init(from first: PageRequest<Page>) { self.first = first }

    public func makeAsyncIterator() -> Iterator { Iterator(limit: limit, following: first) }

    /// Requests the pages one by one. A copy continues at the same page, independently of the original.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        /// The latest page's response, without its body; `nil` before the first page.
        public private(set) var response: HTTPResponse?

        private let limit: Int
        private var following: PageRequest<Page>?
        /// The user of the pages, once the first one is loaded.
        private var session: CallSession?
        private var identities: Set<Int> = []
        private var count = 0

        fileprivate init(limit: Int, following: PageRequest<Page>) {
            self.limit = limit
            self.following = following
        }

        /// Requests the next page. Returns `nil` after the last one.
        ///
        /// After an error the iterator has not advanced: the next call requests the same page again. Throws a `.limit`
        /// error for more pages than the limit, and `.invalidResponse` if the next page was already requested, because
        /// such pages would never end.
        @concurrent
        public mutating func next() async throws(NetworkError) -> Page? {
            guard let page = following else { return nil }
            guard count < limit else {
                throw NetworkError(kind: .limit, reason: "there are more pages than the limit of \(limit)")
            }
            let session = session ?? CallSession(sharesOnlyStorage: true)
            let answer = try await page.load(session) { [identities, response] identity throws(NetworkError) in
                guard identities.contains(identity) else { return }
                let reason = "the next page is one that was requested before"
                throw NetworkError(kind: .invalidResponse, reason: reason, response: response)
            }
            self.session = session
            count += 1
            identities.formUnion(answer.identities)
            following = answer.following
            response = answer.page.response
            response?.body = .data(Data())
            return answer.page.value
        }
    }
}

/// The request for one page.
struct PageRequest<Page: Sendable>: Sendable {
    struct Answer: Sendable {
        let page: NetworkResponse<Page>
        /// Hashes of the request, for detecting repeated pages.
        let identities: [Int]
        /// The request for the page after this one; `nil` for the last page.
        let following: PageRequest?
    }

    /// Throws for the hash of a request that was already sent.
    typealias Check = @Sendable (_ identity: Int) throws(NetworkError) -> Void

    typealias Load = @Sendable (_ session: CallSession, _ check: @escaping Check) async throws(NetworkError) -> Answer

    let load: Load

    init(_ load: @escaping Load) { self.load = load }

    /// A page that cannot be requested.
    init(failing error: NetworkError) {
        self.init { _, _ throws(NetworkError) in throw error }
    }
}
