import Foundation
import NetworkEngine

/// Removes known secrets from everywhere in a recording: paths, fields with harmless names, plain text, compressed
/// bodies.
package struct SecretScrubber: Sendable {
    private let values: ValueScrubber

    /// - Parameters:
    ///   - found: secrets to remove. Those shorter than six characters are skipped, because they would match
    ///     everywhere.
    ///   - named: secrets to remove, whatever their length.
    package init(found: Set<String>, named: Set<String> = []) {
        values = ValueScrubber(found.filter { !$0.contains(Redaction.placeholder) }, always: named)
    }

    package func scrub(_ request: HARRequest) -> HARRequest {
        if values.isEmpty { return request }
        var request = request
        let coding = HTTPHeaders(recorded: request.headers)["Content-Encoding"]
        request.url = scrub(address: request.url)
        request.headers = scrub(request.headers)
        request.queryString = scrub(request.queryString)
        if var body = request.postData {
            let content = HARText(scrub(body.data, coding: coding))
            body.text = content.text
            body._encoding = content.encoding
            request.postData = body
        }
        return request
    }

    func scrub(_ response: HARResponse) -> HARResponse {
        if values.isEmpty { return response }
        var response = response
        let coding = HTTPHeaders(recorded: response.headers)["Content-Encoding"]
        response.headers = scrub(response.headers)
        response._trailers = response._trailers.map(scrub)
        response.redirectURL = scrub(address: response.redirectURL)
        response.comment = response.comment.map { values.scrub($0) }
        let content = HARText(scrub(response.content.data, coding: coding))
        (response.content.text, response.content.encoding) = (content.text, content.encoding)
        return response
    }

    package func scrub(_ entry: HAREntry) -> HAREntry {
        var entry = entry
        entry.request = scrub(entry.request)
        entry.response = scrub(entry.response)
        entry.comment = entry.comment.map { values.scrub($0) }
        return entry
    }

    func scrub(_ text: String) -> String { values.scrub(text) }

    private func scrub(_ pairs: [HARPair]) -> [HARPair] {
        pairs.map { HARPair(name: $0.name, value: values.scrub($0.value)) }
    }

    /// Keeps the host, which is used to match requests.
    private func scrub(address: String) -> String {
        var parts = AddressText(address)
        let scrub = { (text: String) in values.scrub(text, placeholder: Redaction.placeholderInAddress) }
        let path = scrub(parts.path)
        // A secret path includes its leading slash. Without the slash, the placeholder would become part of the host.
        let lostSlash = parts.path.utf8.first == UInt8(ascii: "/") && path.utf8.first != UInt8(ascii: "/")
        parts.path = lostSlash ? "/" + path : path
        parts.query = parts.query.map(scrub)
        parts.fragment = parts.fragment.map(scrub)
        return parts.text
    }

    private func scrub(_ data: Data, coding: String?) -> Data {
        BodyCoding.rewriting(data, coding: coding) { values.scrub($0) }
    }
}
