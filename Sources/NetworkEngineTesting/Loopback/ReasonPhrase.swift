/// The words behind a status; clients must not read them, people do.
enum ReasonPhrase {
    private static let phrases = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 412: "Precondition Failed",
        413: "Content Too Large", 416: "Range Not Satisfiable", 417: "Expectation Failed", 429: "Too Many Requests",
        431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]

    static func usual(for status: Int) -> String {
        if status == 200 { return "OK" }
        return phrases[status] ?? "Status"
    }
}
