package import Foundation

/// Writes parts as the body of a form that carries files (RFC 7578, with names escaped as the WHATWG has it).
///
/// Every part is looked at before the first is read, so that a missing file is found before anything is done. Files and
/// streams are read while they are sent, anew for each attempt, and never copied.
package struct MultipartEncoder {
    package struct Body {
        /// Bytes when all parts are and there are few, a stream put together from the parts else.
        package let content: RequestBody
        /// Names the boundary.
        package let contentType: String

        /// The bytes, when they are in memory.
        package var data: Data? { content.data }
    }

    /// Up to how many bytes a form of nothing but data is put together in memory.
    package var memoryLimit = 1 << 20
    /// Proposes a boundary; asked again for as long as the proposal occurs in the parts' data. Files and streams are not
    /// searched: that the standard one occurs there is less likely than that the disk reads them wrongly.
    package var boundary: () -> String

    package init(boundary: @escaping () -> String = MultipartEncoder.randomBoundary) {
        self.boundary = boundary
    }

    /// Writes all parts, in their order.
    ///
    /// Throws `.invalidRequest` for no parts at all, and for a part whose file, name or content type is not usable. Each
    /// error names the part.
    package func encode(_ parts: [MultipartFormData]) throws(NetworkError) -> Body {
        guard !parts.isEmpty else { throw .invalid("a multipart body needs at least one part") }
        let labels = parts.enumerated().map { "part \($0 + 1) \($1.name.debugDescription)" }
        let heads = try zip(parts, labels).map { (part, label) throws(NetworkError) in
            try MultipartHead.text(of: part, label: label)
        }
        let contents = try zip(parts, labels).map { (part, label) throws(NetworkError) in
            try MultipartContent.segment(of: part, label: label)
        }
        let boundary = try freeBoundary(for: contents)
        return Body(
            content: body(of: joined(heads, contents, by: boundary)),
            contentType: "multipart/form-data; boundary=\(boundary)"
        )
    }

    /// The stretches of the body; small data is part of what stands around it.
    private func joined(
        _ heads: [String],
        _ contents: [BodyStream.Segment],
        by boundary: String
    ) -> [BodyStream.Segment] {
        var segments: [BodyStream.Segment] = []
        var text = Data()
        func flush() {
            segments.append(BodyStream.Segment(.data(text), length: Int64(text.count)))
            text = Data()
        }
        for (head, content) in zip(heads, contents) {
            text.append(contentsOf: "--\(boundary)\r\n\(head)\r\n".utf8)
            if case .data(let data) = content.content, data.count <= 16 << 10 {
                text.append(data)
            } else {
                flush()
                segments.append(content)
            }
            text.append(contentsOf: "\r\n".utf8)
        }
        text.append(contentsOf: "--\(boundary)--\r\n".utf8)
        flush()
        return segments
    }

    private func body(of segments: [BodyStream.Segment]) -> RequestBody {
        let pieces = segments.compactMap(\.content.data)
        let length = pieces.reduce(0) { $0 + $1.count }
        guard pieces.count == segments.count, length <= memoryLimit else {
            return .stream(BodyStream(segments: segments))
        }
        var data = Data(capacity: length)
        for piece in pieces { data.append(piece) }
        return .data(data)
    }

    private func freeBoundary(for contents: [BodyStream.Segment]) throws(NetworkError) -> String {
        let data = contents.compactMap(\.content.data)
        for _ in 0..<16 {
            let proposal = boundary()
            let search = ByteSearch(for: "--" + proposal)
            if !data.contains(where: search.isIn) { return proposal }
        }
        throw NetworkError(kind: .encoding, reason: "every multipart boundary tried occurs in the parts' content")
    }

    /// 128 random bits behind a readable word.
    package static func randomBoundary() -> String {
        let digits = (0..<2).map { _ in
            let word = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }
        return "NetworkEngine-" + digits.joined()
    }
}

extension BodyStream.Segment.Content {
    fileprivate var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }
}
