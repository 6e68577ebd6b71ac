import Foundation
import NetworkEngine

extension StoredResponse {
    /// The fields that make a request conditional on a change of this response; `nil` if it has no validator.
    ///
    /// See RFC 9111, 4.3.1. A weak tag is enough, because the whole body is reused.
    var conditions: HTTPHeaders? {
        var fields = HTTPHeaders()
        if let tag = headers.values(for: "ETag").first, !tag.isEmpty, tag.isFieldValue { fields["If-None-Match"] = tag }
        if let modified = headers.values(for: "Last-Modified").first, HTTPDate.seconds(modified) != nil {
            fields["If-Modified-Since"] = modified
        }
        return fields.isEmpty ? nil : fields
    }

    /// The response after a 304 has confirmed it (RFC 9111, 3.2 and 4.3.4); `nil` if the 304 describes another one.
    func updated(by headers: HTTPHeaders, requestTime: Date, responseTime: Date) -> StoredResponse? {
        guard headers.describesSameContent(as: self.headers) else { return nil }
        return merged(with: headers, requestTime: requestTime, responseTime: responseTime)
    }

    /// What the response to a `HEAD` request means for a stored response to `GET` (RFC 9111, 4.3.5).
    enum HeadResult: Hashable, Sendable {
        case updated(StoredResponse)
        /// The stored response is outdated and must be removed.
        case outdated
        /// The response does not apply to the stored one.
        case unrelated
    }

    func result(ofHead statusCode: Int, _ headers: HTTPHeaders, requestTime: Date, responseTime: Date)
        -> HeadResult
    {
        guard statusCode == 200 || statusCode == self.statusCode, isComplete else { return .unrelated }
        guard statusCode == self.statusCode else { return .outdated }
        let length = headers["Content-Length"]
        // The length of an encoded body is unrelated to the decoded length.
        let isSameLength =
            length == nil || headers.contains("Content-Encoding") || length == String(bodyLength)
            || length == self.headers["Content-Length"]
        guard isSameLength, headers.describesSameContent(as: self.headers) else { return .outdated }
        return .updated(merged(with: headers, requestTime: requestTime, responseTime: responseTime))
    }

    /// This update, as applied to a stored response.
    ///
    /// The response may also be for other senders than the request's. Then only fields that don't depend on the sender
    /// are updated.
    func storable(after old: StoredResponse, for request: HTTPRequest) -> StoredResponse {
        var response = self
        if !variant.hasCookies(of: request) { response.headers["Set-Cookie"] = nil }
        if variant.hasIdentity(of: request) { return response }
        let isCommon = { (name: String) in Self.commonFields.contains { $0.equalsIgnoringASCIICase(name) } }
        var fields = headers
        fields.removeAll { !isCommon($0) }
        for field in old.headers where !isCommon(field.name) { fields.add(field.value, for: field.name) }
        response.headers = fields
        return response
    }

    private func merged(with headers: HTTPHeaders, requestTime: Date, responseTime: Date) -> StoredResponse {
        var response = self
        let directives = CacheControl(response: headers)
        var fields = headers.endToEnd
        fields.removeAll { name in
            Self.bodyFields.contains { $0.equalsIgnoringASCIICase(name) }
                || directives.noCacheFields.contains(name.lowercased())
        }
        // These describe the message that contained them.
        response.headers["Age"] = nil
        if !fields.contains("Date") {
            fields["Date"] = HTTPDate.text(Int64(responseTime.timeIntervalSince1970.rounded(.down)))
        }
        response.headers.merge(fields)
        response.requestTime = requestTime
        response.responseTime = responseTime
        return response
    }

    /// The fields that describe the stored body, which an update does not change.
    private static let bodyFields = ["Content-Length", "Content-Encoding", "Content-Range"]
    /// The freshness and validation fields, which are the same for all senders.
    private static let commonFields = ["Age", "Cache-Control", "Date", "ETag", "Expires", "Last-Modified"]
}
