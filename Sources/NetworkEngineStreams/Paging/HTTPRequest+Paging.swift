import Foundation
import NetworkEngine

extension HTTPRequest {
    /// Returns the request with the given query items, replacing those with the same names.
    func setting(_ items: [URLQueryItem]) -> HTTPRequest {
        var request = self
        let text = url.absoluteString.removingQueryItems(named: Set(items.map(\.name)))
        var address = AddressText(text)
        let query = [address.query ?? "", Endpoint.encoded(items)]
        address.query = query.filter { !$0.isEmpty }.joined(separator: "&")
        if let url = URL(string: address.text) { request.url = url }
        return request
    }

    /// The hash of the method, URL, headers and body; `nil` for a body that is not in memory.
    var hashOfPage: Int? {
        var hasher = Hasher()
        hasher.combine(method)
        hasher.combine(url.sentText)
        hasher.combine(headers)
        if !body.isAbsent {
            guard let data = body.data else { return nil }
            hasher.combine(all: data)
        }
        return hasher.finalize()
    }

    /// The value of a query item.
    func item(_ name: String) -> String? { url.absoluteString.queryItem(name) }
}

extension Endpoint {
    /// Returns the endpoint with the given query items, replacing those with the same names.
    func setting(_ items: [URLQueryItem]) -> Endpoint {
        let names = Set(items.map(\.name))
        var endpoint = self
        endpoint.location = location.replacing(path.removingQueryItems(named: names))
        endpoint.setQuery(items)
        return endpoint
    }

    /// The hashes of the endpoint and of the URL that a server specified for it, if pages differ only in these.
    var identitiesByAddress: [Int] {
        [requested.hashValue] + (link.map { [Self.identity(of: $0.url)] } ?? [])
    }

    static func identity(of address: URL) -> Int { address.sentText.hashValue }

    /// The value of a query item, in the parameters, the items or the path.
    func item(_ name: String) -> String? {
        queryValue(name) ?? path.queryItem(name)
    }
}

extension URL {
    /// The URL without its fragment, which is not sent.
    fileprivate var sentText: String { String(absoluteString.prefix { $0 != "#" }) }
}

extension String {
    fileprivate func removingQueryItems(named names: Set<String>) -> String {
        var address = AddressText(self)
        guard let query = address.query else { return self }
        let rest = AddressText.removing(itemsOf: query) { name, value in names.contains(name ?? value) }
        address.query = rest.isEmpty ? nil : rest
        return address.text
    }

    fileprivate func queryItem(_ name: String) -> String? {
        AddressText(self).query.flatMap { AddressText.pairs(of: $0).last { $0.name == name }?.value }
    }
}
