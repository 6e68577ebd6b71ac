import Foundation
import NetworkEngine

extension StoredResponse {
    /// The status and fields of an answer from this response, with its `Age` (RFC 9111, 4 and 5.1).
    func head(of answer: CacheUse.Answer, now: Date) -> (statusCode: Int, headers: HTTPHeaders) {
        var headers = headers
        headers["Age"] = Freshness(of: self, at: now).ageField
        switch answer {
        case .whole:
            return (statusCode, headers)
        case .part(let bounds):
            headers["Content-Range"] = Part(bounds: bounds, total: totalLength).text
            headers["Content-Length"] = String(bounds.count)
            headers["Content-Digest"] = nil
            return (206, headers)
        case .notModified:
            // The fields in a 304 (RFC 9110, 15.4.5).
            let kept = ["age", "cache-control", "content-location", "date", "etag", "expires", "last-modified", "vary"]
            headers.removeAll { !kept.contains($0.lowercased()) }
            return (304, headers)
        }
    }

    /// The stored bytes of an answer, as a range of the stored body.
    func bodyRange(of answer: CacheUse.Answer) -> Range<Int64> {
        switch answer {
        case .whole: return 0..<bodyLength
        case .part(let bounds):
            let start = part?.bounds.lowerBound ?? 0
            return (bounds.lowerBound - start)..<(bounds.upperBound - start)
        case .notModified: return 0..<0
        }
    }

    /// The headers of a generated response to a request that accepts only a stored one.
    static var gatewayTimeoutHeaders: HTTPHeaders { ["Content-Length": "0"] }
}
