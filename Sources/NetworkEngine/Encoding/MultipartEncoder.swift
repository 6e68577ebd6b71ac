package import Foundation

/// Writes parts as the body of a form that carries files (RFC 7578, with names escaped as the WHATWG has it).
///
/// Every part is looked at before the first is read, so that a missing file is found before anything is done.
package struct MultipartEncoder {
    package struct Body {
        package let data: Data
        /// Names the boundary.
        package let contentType: String
    }

    /// The most that is held in memory.
    package var lengthLimit = 256 << 20
    /// Proposes a boundary; asked again for as long as the proposal occurs in the content.
    package var boundary: () -> String

    package init(boundary: @escaping () -> String = MultipartEncoder.randomBoundary) {
        self.boundary = boundary
    }

    /// Writes all parts, in their order.
    ///
    /// Throws `.invalidRequest` for no parts at all, and for a part whose file, name or content type is not usable;
    /// `.unsupported` for a stream; `.limit` for parts too large for memory. Each names the part.
    package func encode(_ parts: [MultipartFormData]) throws(NetworkError) -> Body {
        guard !parts.isEmpty else { throw .invalid("a multipart body needs at least one part") }
        let labels = parts.enumerated().map { "part \($0 + 1) \($1.name.debugDescription)" }
        let heads = try zip(parts, labels).map { (part, label) throws(NetworkError) in
            try MultipartHead.text(of: part, label: label)
        }
        var room = lengthLimit
        for (part, label) in zip(parts, labels) {
            let length = try MultipartContent.length(of: part, label: label)
            guard length <= room else { throw .tooLarge(label, lengthLimit) }
            room -= length
        }
        let contents = try zip(parts, labels).map { (part, label) throws(NetworkError) in
            try MultipartContent.data(of: part, label: label)
        }
        return try assemble(heads, contents)
    }

    private func assemble(_ heads: [String], _ contents: [Data]) throws(NetworkError) -> Body {
        let boundary = try freeBoundary(for: contents)
        let overhead = heads.reduce(0) { $0 + $1.utf8.count + boundary.utf8.count + 8 }
        var body = Data(capacity: contents.reduce(overhead + boundary.utf8.count + 8) { $0 + $1.count })
        for (head, content) in zip(heads, contents) {
            body.append(contentsOf: "--\(boundary)\r\n\(head)\r\n".utf8)
            body.append(content)
            body.append(contentsOf: "\r\n".utf8)
        }
        body.append(contentsOf: "--\(boundary)--\r\n".utf8)
        return Body(data: body, contentType: "multipart/form-data; boundary=\(boundary)")
    }

    private func freeBoundary(for contents: [Data]) throws(NetworkError) -> String {
        for _ in 0..<16 {
            let proposal = boundary()
            let search = ByteSearch(for: "--" + proposal)
            if !contents.contains(where: search.isIn) { return proposal }
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

extension NetworkError {
    fileprivate static func tooLarge(_ label: String, _ limit: Int) -> NetworkError {
        NetworkError(kind: .limit, reason: "up to \(label) the parts exceed the \(limit) bytes that are held in memory")
    }
}
