import Foundation

extension TokenSource.Location {
    /// Whether the request has a value at this location.
    func isTaken(in request: HTTPRequest) -> Bool {
        switch self {
        case .bearer: request.headers.contains("Authorization")
        case .header(let name): request.headers.contains(name)
        case .query(let name): request.url.encodedQuery.hasItem(name)
        case .bodyField(let name):
            switch request.fields {
            case .form(let text): text.hasItem(name)
            case .json(let members): members[name] != nil
            case .nothing, .other: false
            }
        }
    }

    /// Returns the request with a token at this location.
    func put(_ token: String, into request: HTTPRequest) throws(NetworkError) -> HTTPRequest {
        var request = request
        switch self {
        case .bearer:
            request.headers["Authorization"] = "Bearer \(token)"
            return request.marking([.init(token, in: .header("Authorization"))])
        case .header(let name):
            request.headers[name] = token
            return request.marking([.init(token, in: .header(name))])
        case .query(let name):
            request.url = try URLJoining.join(base: request.url, path: "", query: Self.item(name, token))
            return request.marking([.init(token, in: .query(name))])
        case .bodyField(let name):
            request.body = .data(try Self.body(of: request, adding: name, token))
            if !request.headers.contains("Content-Type") { request.headers["Content-Type"] = JSONBody.contentType }
            return request.marking([.init(token, in: .body)])
        }
    }

    private static func item(_ name: String, _ value: String) -> String {
        var bytes: [UInt8] = []
        bytes.append(percentEncoding: name.utf8, keeping: .unreserved)
        bytes.append(UInt8(ascii: "="))
        bytes.append(percentEncoding: value.utf8, keeping: .unreserved)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func body(
        of request: HTTPRequest,
        adding name: String,
        _ token: String
    ) throws(NetworkError) -> Data {
        switch request.fields {
        case .form(let text): return Data((text.isEmpty ? "" : text + "&").utf8) + Data(item(name, token).utf8)
        case .nothing: return try JSONBody.data(encoding: [name: token], with: JSONEncoder())
        case .json(let members):
            // The member is added to the existing bytes, which keeps the order and spelling of the others.
            let member = try JSONBody.data(encoding: [name: token], with: JSONEncoder()).dropFirst()
            var body = request.body.data ?? Data()
            while let last = body.popLast(), last != UInt8(ascii: "}") {}
            return body + Data((members.isEmpty ? "" : ",").utf8) + member
        case .other:
            throw NetworkError(
                kind: .invalidRequest,
                reason: "the token cannot be added: the body is neither a JSON object nor a form",
                request: request
            )
        }
    }
}

extension HTTPRequest {
    /// The content of a body.
    fileprivate enum Fields {
        case nothing
        case form(String)
        case json([String: Any])
        case other
    }

    fileprivate var fields: Fields {
        if body.isNone { return .nothing }
        guard let data = body.data else { return .other }
        let type = headers["Content-Type"]?.lowercased() ?? ""
        if type.hasPrefix("application/x-www-form-urlencoded") { return .form(String(decoding: data, as: UTF8.self)) }
        let members = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
        return members.map(Fields.json) ?? .other
    }
}

extension URL {
    fileprivate var encodedQuery: String { query(percentEncoded: true) ?? "" }
}

extension String {
    /// Whether a query or form has an item with this name.
    fileprivate func hasItem(_ name: String) -> Bool {
        split(separator: "&").contains { item in
            let encoded = item.prefix { $0 != "=" }.replacing("+", with: " ")
            return encoded.removingPercentEncoding == name
        }
    }
}
