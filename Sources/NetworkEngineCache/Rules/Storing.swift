import Foundation
import NetworkEngine

extension StoredResponse {
    /// The head to store for a response; `nil` if it must not be stored, or would never be used (RFC 9111, 3).
    ///
    /// The caller stores it only with a complete body. `bodyLength` is set when the body has ended.
    ///
    /// - Parameter policy: with `.cacheFirst`, a response that soon needs a new request is also worth storing.
    init?(
        storing statusCode: Int,
        _ headers: HTTPHeaders,
        to request: HTTPRequest,
        policy: CachePolicy = .useProtocol,
        requestTime: Date,
        responseTime: Date
    ) {
        let directives = CacheControl(response: headers)
        guard request.method == .get, Self.mayStore(statusCode, headers, directives, to: request),
            let variant = Variant(of: headers, to: request)
        else { return nil }
        var part: Part?
        if statusCode == 206 {
            // A multipart body has no Content-Range.
            guard let range = Part(headers) else { return nil }
            part = range.isWhole ? nil : range
        }
        let isWhole = statusCode == 206 && part == nil
        var fields = headers.storable(directives)
        if isWhole { fields["Content-Range"] = nil }
        // The cookies belong to one sender.
        if !variant.hasCookies(of: request) { fields["Set-Cookie"] = nil }
        if !fields.contains("Date") {
            fields["Date"] = HTTPDate.text(Int64(responseTime.timeIntervalSince1970.rounded(.down)))
        }
        self.init(
            statusCode: isWhole ? 200 : statusCode,
            headers: fields,
            variant: variant,
            requestTime: requestTime,
            responseTime: responseTime,
            part: part
        )
        guard policy == .cacheFirst || isUseful(directives) else { return nil }
    }

    private static func mayStore(
        _ status: Int,
        _ headers: HTTPHeaders,
        _ directives: CacheControl,
        to request: HTTPRequest
    ) -> Bool {
        guard (200...599).contains(status), status != 304, !CacheControl(request: request.headers).isNoStore else {
            return false
        }
        guard !refusals.contains(status) else { return false }
        if directives.mustUnderstand {
            guard isUnderstood(status) else { return false }
        } else if directives.isNoStore {
            return false
        }
        return directives.isPublic || directives.isPrivate || directives.maxAge != nil || headers.contains("Expires")
            || FreshnessBasis.isHeuristicallyCacheable(status)
    }

    /// The statuses that apply only to one request, its sender or the moment, and not to the next request.
    private static let refusals: Set = [401, 403, 407, 412, 416, 417, 421, 425, 428, 429, 431, 511]

    /// Whether the response can be used later: while it is fresh, after validation, or stale by permission.
    private func isUseful(_ directives: CacheControl) -> Bool {
        if headers.contains("ETag") || headers.contains("Last-Modified") { return true }
        if directives.isNoCache { return false }
        return Freshness(of: self, at: responseTime).isFresh || directives.maxAge != nil || headers.contains("Expires")
    }

    /// Whether this implementation supports caching a status. All of them follow the rules for any final response.
    private static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...206, 300...303, 307, 308, 400...415, 422, 426, 451, 500...505: true
        default: false
        }
    }
}

extension HTTPHeaders {
    /// The fields to store: without connection-specific fields and those listed in `no-cache`.
    fileprivate func storable(_ directives: CacheControl) -> HTTPHeaders {
        var headers = endToEnd
        let named = directives.noCacheFields
        if !named.isEmpty { headers.removeAll { named.contains($0.lowercased()) } }
        return headers
    }
}
