import Foundation
package import NetworkEngine

/// The request of a recorded exchange.
package struct HARRequest: Codable, Sendable {
    package var method: String
    package var url: String
    var httpVersion = "HTTP/1.1"
    /// Always empty: cookies are kept in the headers, where redaction finds them.
    var cookies: [HARPair] = []
    var headers: [HARPair]
    var queryString: [HARPair] = []
    package var postData: Body?
    var headersSize = -1
    var bodySize = 0

    package struct Body: Codable, Sendable {
        var mimeType = ""
        package var text: String?
        /// The fields of a form, which some tools write instead of its text.
        var params: [HARPair]?
        package var _encoding: String?
        /// Why bytes are missing.
        var comment: String?

        init(mimeType: String, _ content: HARText) {
            self.mimeType = mimeType
            text = content.text
            _encoding = content.encoding
        }
    }

    /// - Parameter request: its body in memory.
    package init(_ request: HTTPRequest) {
        method = request.method.rawValue
        url = request.url.absoluteString
        headers = request.headers.recorded
        queryString = Self.items(of: request.url)
        guard let data = request.body.data else { return }
        postData = Body(mimeType: request.headers["Content-Type"] ?? "", HARText(data))
        bodySize = data.count
    }

    /// The recorded request; `nil` if its address is invalid.
    package var request: HTTPRequest? {
        guard let url = URL(string: url.escapedReference) else { return nil }
        return HTTPRequest(
            method: HTTPMethod(rawValue: method),
            url: url,
            headers: HTTPHeaders(recorded: headers),
            body: postData.map { .data($0.data) } ?? .absent
        )
    }

    /// The names and values of a URL's query items, percent-decoded.
    static func items(of url: URL) -> [HARPair] {
        let query = url.query(percentEncoded: true) ?? ""
        return query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let texts = parts.map { $0.removingPercentEncoding ?? $0 }
            return HARPair(name: texts.first ?? "", value: texts.count > 1 ? texts[1] : "")
        }
    }
}

extension HARRequest.Body {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        mimeType = (try? container.decode(String.self, forKey: .mimeType)) ?? ""
        text = try? container.decode(String.self, forKey: .text)
        params = try? container.decode([HARPair].self, forKey: .params)
        _encoding = try? container.decode(String.self, forKey: ._encoding)
        comment = try? container.decode(String.self, forKey: .comment)
    }

    private enum CodingKeys: String, CodingKey { case mimeType, text, params, _encoding, comment }

    var data: Data {
        if let text { return HARText(text: text, encoding: _encoding).data }
        var bytes: [UInt8] = []
        for pair in params ?? [] {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            bytes.append(formEncoding: pair.name.utf8)
            bytes.append(UInt8(ascii: "="))
            bytes.append(formEncoding: pair.value.utf8)
        }
        return Data(bytes)
    }
}

extension HARRequest {
    private enum CodingKeys: String, CodingKey {
        case method, url, httpVersion, cookies, headers, queryString, postData, headersSize, bodySize
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        method = try container.decode(String.self, forKey: .method)
        url = try container.decode(String.self, forKey: .url)
        headers = try container.decodeIfPresent([HARPair].self, forKey: .headers) ?? []
        httpVersion = (try? container.decode(String.self, forKey: .httpVersion)) ?? httpVersion
        queryString = (try? container.decode([HARPair].self, forKey: .queryString)) ?? []
        postData = try container.decodeIfPresent(Body.self, forKey: .postData)
        bodySize = (try? container.decode(Int.self, forKey: .bodySize)) ?? 0
    }
}
