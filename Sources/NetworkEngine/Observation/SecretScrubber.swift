import Foundation

/// Takes known secrets out of a recording, wherever they are: in a path, behind a harmless name, in plain text.
package struct SecretScrubber: Sendable {
    /// Each secret in each way that it may be written, the longest first.
    private let needles: [String]

    /// - Parameters:
    ///   - found: those of less than six characters are passed over: they would be found everywhere.
    ///   - named: taken out whatever their length.
    package init(found: Set<String>, named: Set<String> = []) {
        var needles: Set<String> = []
        let long = found.filter { $0.count >= 6 && !$0.contains(Redaction.placeholder) }
        for secret in long.union(named) where !secret.isEmpty {
            needles.insert(secret)
            needles.insert(secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret)
            needles.insert(secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? secret)
            for style in [JSONEncoder.OutputFormatting(), .withoutEscapingSlashes] {
                let encoder = JSONEncoder()
                encoder.outputFormatting = style
                guard let literal = try? encoder.encode(secret) else { continue }
                needles.insert(String(decoding: literal.dropFirst().dropLast(), as: UTF8.self))
            }
        }
        self.needles = needles.sorted { ($1.count, $0) < ($0.count, $1) }
    }

    package func scrub(_ text: String, placeholder: String = Redaction.placeholder) -> String {
        needles.reduce(text) { $0.replacingOccurrences(of: $1, with: placeholder) }
    }

    package func scrub(_ request: HARRequest) -> HARRequest {
        if needles.isEmpty { return request }
        var request = request
        request.url = scrub(request.url, placeholder: "%3Credacted%3E")
        request.headers = scrub(request.headers)
        request.queryString = scrub(request.queryString)
        if var body = request.postData {
            let content = HARText(scrub(body.data))
            body.text = content.text
            body._encoding = content.encoding
            request.postData = body
        }
        return request
    }

    package func scrub(_ response: HARResponse) -> HARResponse {
        if needles.isEmpty { return response }
        var response = response
        response.headers = scrub(response.headers)
        response.redirectURL = scrub(response.redirectURL)
        response.comment = response.comment.map { scrub($0) }
        let content = HARText(scrub(response.content.data))
        (response.content.text, response.content.encoding) = (content.text, content.encoding)
        return response
    }

    package func scrub(_ entry: HAREntry) -> HAREntry {
        var entry = entry
        entry.request = scrub(entry.request)
        entry.response = scrub(entry.response)
        return entry
    }

    private func scrub(_ pairs: [HARPair]) -> [HARPair] {
        pairs.map { HARPair(name: $0.name, value: scrub($0.value)) }
    }

    private func scrub(_ data: Data) -> Data {
        var data = data
        for needle in needles {
            let needle = Data(needle.utf8)
            var start = data.startIndex
            while let found = data.range(of: needle, in: start..<data.endIndex) {
                let placeholder = Data(Redaction.placeholder.utf8)
                data.replaceSubrange(found, with: placeholder)
                start = found.lowerBound + placeholder.count
            }
        }
        return data
    }
}
