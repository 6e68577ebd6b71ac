package import Foundation

/// The address of a page that a server named in its response to the previous page.
package struct PageLink: Sendable {
    package let url: URL
    /// The secret parts of the request for the previous page, which the server may repeat in the address.
    private let marks: RequestMarks?

    package init(_ url: URL, in response: HTTPResponse) {
        self.url = url
        marks = response.request.marks
    }

    /// Adds the secrets that the address repeats. The others belong to the previous page alone: those of all pages
    /// would grow without a limit.
    func mark(_ request: inout HTTPRequest) {
        guard let marks else { return }
        let address = url.absoluteString
        let items = AddressText(address).query.map { AddressText.pairs(of: $0).map(\.value) } ?? []
        func repeats(_ value: String) -> Bool {
            items.contains(value) || ValueScrubber([value]).finds(in: Data(address.utf8))
        }
        let values = marks.values.filter(repeats)
        let credentials = marks.credentials.filter { repeats($0.value) }
        request.marks = (request.marks ?? RequestMarks()).adding(
            headers: marks.headers, values: values, credentials: credentials)
    }
}
