package import Foundation
package import NetworkEngine

/// The response of a recorded exchange, or its failure.
package struct HARResponse: Codable, Sendable {
    /// The status code; 0 without a response.
    package var status: Int
    var statusText = ""
    var httpVersion = "HTTP/1.1"
    var cookies: [HARPair] = []
    package var headers: [HARPair]
    /// The trailer fields, which the format does not support.
    package var _trailers: [HARPair]?
    package var content: Content
    var redirectURL = ""
    var headersSize = -1
    var bodySize = 0
    /// The failure, as the word for a `TransportFailure` or as written by a browser.
    var _error: String?
    /// A readable description of the failure.
    package var comment: String?

    package struct Content: Codable, Sendable {
        var size = 0
        var mimeType = ""
        package var text: String?
        package var encoding: String?
        /// Why bytes are missing.
        var comment: String?

        init(mimeType: String, _ data: Data) {
            size = data.count
            self.mimeType = mimeType
            let content = HARText(data)
            (text, encoding) = (content.text, content.encoding)
        }

        var data: Data { HARText(text: text ?? "", encoding: encoding).data }
    }

    /// - Parameter body: the response bytes, wherever the response stores them.
    package init(_ response: HTTPResponse, body: Data) {
        self.init(
            statusCode: response.statusCode, headers: response.headers, trailers: response.trailers, body: body)
    }

    /// - Parameter statusCode: 0 without a response.
    init(statusCode: Int, headers: HTTPHeaders, trailers: HTTPHeaders? = nil, body: Data) {
        status = statusCode
        self.headers = headers.recorded
        _trailers = trailers?.recorded
        content = Content(mimeType: headers["Content-Type"] ?? "", body)
        redirectURL = headers["Location"] ?? ""
        bodySize = body.count
    }

    package init(_ failure: TransportFailure, reason: String) {
        status = 0
        headers = []
        content = Content(mimeType: "", Data())
        _error = failure.word
        comment = reason.isEmpty ? nil : reason
    }

    /// The failure of an exchange without a response.
    package var failure: TransportFailure? {
        status == 0 || _error != nil ? _error.map(TransportFailure.init(word:)) ?? .unknown : nil
    }

    /// The response to the given request.
    package func response(to request: HTTPRequest) -> HTTPResponse {
        var response = HTTPResponse(
            statusCode: status,
            headers: HTTPHeaders(recorded: headers),
            body: .data(content.data),
            request: request
        )
        if let _trailers { response.trailers = HTTPHeaders(recorded: _trailers) }
        return response
    }
}

extension HARResponse {
    private enum CodingKeys: String, CodingKey {
        case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
        case _trailers, _error, comment
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(Int.self, forKey: .status)
        headers = try container.decodeIfPresent([HARPair].self, forKey: .headers) ?? []
        content = try container.decodeIfPresent(Content.self, forKey: .content) ?? Content(mimeType: "", Data())
        statusText = (try? container.decode(String.self, forKey: .statusText)) ?? ""
        httpVersion = (try? container.decode(String.self, forKey: .httpVersion)) ?? httpVersion
        redirectURL = (try? container.decode(String.self, forKey: .redirectURL)) ?? ""
        bodySize = (try? container.decode(Int.self, forKey: .bodySize)) ?? 0
        _trailers = try? container.decode([HARPair].self, forKey: ._trailers)
        _error = try? container.decode(String.self, forKey: ._error)
        comment = try? container.decode(String.self, forKey: .comment)
    }
}

extension HARResponse.Content {
    private enum CodingKeys: String, CodingKey { case size, mimeType, text, encoding, comment }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = (try? container.decode(Int.self, forKey: .size)) ?? 0
        mimeType = (try? container.decode(String.self, forKey: .mimeType)) ?? ""
        text = try? container.decode(String.self, forKey: .text)
        encoding = try? container.decode(String.self, forKey: .encoding)
        comment = try? container.decode(String.self, forKey: .comment)
    }
}
