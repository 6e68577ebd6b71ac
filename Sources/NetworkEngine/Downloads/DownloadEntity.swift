/// Identifies a partially downloaded resource.
///
/// A pure value. It creates the request for the rest, and classifies the response.
struct DownloadEntity: Hashable, Sendable {
    /// A strong entity tag, or the modification time of a resource without a tag.
    let validator: String
    /// The modification time, if the resource has one.
    let modified: String?
    let total: Int64

    init(validator: String, modified: String? = nil, total: Int64) {
        self.validator = validator
        self.modified = modified ?? (validator.isStrongTag ? nil : validator)
        self.total = total
    }

    /// The entity of a complete response; `nil` if its rest could not be requested reliably.
    init?(of response: HTTPResponse, length: Int64?) {
        guard response.statusCode == 200, let length, length > 0,
            let validator = response.headers.strongValidator,
            response.headers["Accept-Ranges"]?.lowercased() != "none",
            !response.headers.contains("Content-Encoding")
        else { return nil }
        self.init(validator: validator, modified: response.headers["Last-Modified"], total: length)
    }

    /// The meaning of a response to a request for the rest.
    enum Answer: Hashable, Sendable {
        /// Exactly the rest.
        case rest
        /// The whole, because the resource has changed or the server does not support ranges.
        case whole
        /// A part that was not requested, or none. The whole must be requested.
        case unusable
        /// Not a response to the range: an error, a redirect.
        case other
    }

    /// The request for the bytes after the partial file.
    func requestForRest(of request: HTTPRequest, from offset: Int64) -> HTTPRequest {
        var request = request
        request.headers["Range"] = "bytes=\(offset)-"
        request.headers["If-Range"] = validator
        return request
    }

    func answer(in response: HTTPResponse, from offset: Int64) -> Answer {
        switch response.statusCode {
        case 206: isRest(response, from: offset) ? .rest : .unusable
        case 416: .unusable
        case 200..<300: .whole
        default: .other
        }
    }

    private func isRest(_ response: HTTPResponse, from offset: Int64) -> Bool {
        let ranges = response.headers.values(for: "Content-Range")
        guard ranges.count == 1, let range = ranges.first.flatMap(ContentRange.init), range.start == offset,
            range.total == nil || range.total == total, range.end < total
        else { return false }
        if response.headers.contains("Content-Encoding") { return false }
        // A server that ignores the condition sends a part of its current version.
        if let tag = response.headers["ETag"] { return tag == validator }
        guard let modified, let current = response.headers["Last-Modified"] else { return true }
        return current == modified
    }
}
