package import Foundation

/// Encodes parts as a `multipart/form-data` body (RFC 7578, with names escaped according to WHATWG).
///
/// All parts are checked before the first is read, so that a missing file is an early error. Files and streams are read
/// again for each attempt while they are sent, and never copied.
package struct MultipartEncoder {
    package struct Body {
        /// Data for a small form; otherwise a stream of segments.
        package let content: RequestBody
        let boundary: String
        /// The content type, including the boundary.
        package var contentType: String { "multipart/form-data; boundary=\(boundary)" }

        /// The bytes of an in-memory body.
        var data: Data? { content.data }
    }

    /// The maximum size of a form that is encoded in memory.
    var memoryLimit = 1 << 20
    /// Proposes boundaries until one does not occur in the parts' data.
    ///
    /// Files and streams are not searched. A random boundary in them is less likely than a disk read error.
    var boundary: () -> String
    /// Encodes the JSON parts that don't specify an encoder.
    private let jsonEncoder: JSONEncoder

    package init(
        jsonEncoder: JSONEncoder = JSONEncoder(),
        boundary: @escaping () -> String = MultipartEncoder.randomBoundary
    ) {
        self.jsonEncoder = jsonEncoder
        self.boundary = boundary
    }

    /// Encodes the parts in order.
    ///
    /// Throws `.invalidRequest` if there are no parts, or if a part has an unusable file, name or content type. The
    /// error identifies the part.
    package func encode(_ parts: [MultipartFormData]) throws(NetworkError) -> Body {
        guard !parts.isEmpty else { throw .invalid("a multipart body needs at least one part") }
        let labels = parts.enumerated().map { "part \($0 + 1) \($1.name.debugDescription)" }
        let heads = try zip(parts, labels).map { (part, label) throws(NetworkError) in
            try MultipartHead.text(of: part, label: label)
        }
        let contents = try zip(parts, labels).map { (part, label) throws(NetworkError) in
            try MultipartContent.segment(of: part, label: label, jsonEncoder: jsonEncoder)
        }
        let boundary = try freeBoundary(for: contents)
        return Body(content: body(of: joined(heads, contents, by: boundary)), boundary: boundary)
    }

    /// The segments of the body. Small data shares a segment with the heads around it.
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

    /// A readable word and 128 random bits.
    static func randomBoundary() -> String {
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

/// The segment of one part.
enum MultipartContent {
    /// Checks a part without reading it, and returns its segment.
    static func segment(
        of part: MultipartFormData,
        label: String,
        jsonEncoder: JSONEncoder
    ) throws(NetworkError) -> BodyStream.Segment {
        switch part.provider {
        case .data(let data):
            return segment(data, label: label)
        case .file(let url):
            return BodyStream.Segment(.file(url), length: try fileLength(url, label: label), label: label)
        case .stream(let stream):
            return BodyStream.Segment(.stream(stream), length: stream.length, label: label)
        case .json(let value, let encoder):
            return segment(try json(value, by: encoder ?? jsonEncoder, label: label), label: label)
        }
    }

    private static func segment(_ data: Data, label: String) -> BodyStream.Segment {
        BodyStream.Segment(.data(data), length: Int64(data.count), label: label)
    }

    private static func json(
        _ value: any Encodable,
        by encoder: JSONEncoder,
        label: String
    ) throws(NetworkError) -> Data {
        do {
            return try JSONBody.data(encoding: value, with: encoder)
        } catch {
            throw .unencodable("\(label): \(error.reason)", underlying: error.underlying)
        }
    }

    private static func fileLength(_ url: URL, label: String) throws(NetworkError) -> Int64 {
        guard url.isFileURL else { throw .invalid("\(label) is not a file URL: \(Redaction.describe(url))") }
        let path = url.resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw .unusable(label, url, "does not exist")
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular?: break
        case .typeDirectory?: throw .unusable(label, url, "is a directory")
        default: throw .unusable(label, url, "is not a regular file")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw .unusable(label, url, "is not readable")
        }
        return (attributes[.size] as? NSNumber)?.int64Value ?? 0
    }
}

extension NetworkError {
    fileprivate static func unusable(_ label: String, _ file: URL, _ fault: String) -> NetworkError {
        NetworkError(kind: .invalidRequest, reason: "\(label): the file \(file.path) \(fault)")
    }
}

/// Searches for a short pattern in data with Horspool's algorithm, which reads few of the bytes.
struct ByteSearch {
    private let pattern: [UInt8]
    /// The distance to move the pattern for each byte at its last position.
    private let shifts: [Int]

    init(for text: String) {
        pattern = Array(text.utf8)
        var shifts = [Int](repeating: pattern.count, count: 256)
        for (index, byte) in pattern.dropLast().enumerated() { shifts[Int(byte)] = pattern.count - 1 - index }
        self.shifts = shifts
    }

    func isIn(_ data: Data) -> Bool {
        guard let lastByte = pattern.last else { return true }
        return data.withUnsafeBytes { bytes in
            var end = pattern.count - 1
            while end < bytes.count {
                let byte = bytes[end]
                if byte == lastByte, bytes[(end + 1 - pattern.count)...end].elementsEqual(pattern) { return true }
                end += shifts[Int(byte)]
            }
            return false
        }
    }
}
