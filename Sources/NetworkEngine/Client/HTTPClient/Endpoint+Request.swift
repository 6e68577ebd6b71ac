import Foundation

extension Endpoint {
    /// The request that asks for this below a base; not validated yet.
    func request(
        below base: URL,
        _ rules: RequestRules,
        timeout: Duration? = nil
    ) throws(NetworkError) -> HTTPRequest {
        var request = try rules.request(
            method, base: base, path: path, query: query, headers: headers, timeout: timeout)
        request.body = body.map(RequestBody.data) ?? .none
        return request
    }

    /// The query items as they are sent; an item without a value is a name alone.
    private var query: String? {
        guard let queryItems, !queryItems.isEmpty else { return nil }
        var bytes: [UInt8] = []
        for item in queryItems {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            bytes.append(percentEncoding: item.name.utf8, keeping: .unreserved)
            guard let value = item.value else { continue }
            bytes.append(UInt8(ascii: "="))
            bytes.append(percentEncoding: value.utf8, keeping: .unreserved)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
