import NetworkEngine

/// A request's `Range` (RFC 9110, 14.2).
enum ByteRange: Hashable, Sendable {
    /// From a position through the last byte's position, or to the end.
    case from(Int64, through: Int64?)
    /// The last bytes.
    case last(Int64)
    /// Several ranges, another unit, or an invalid value. Only the server can handle it.
    case other

    /// `nil` for a request without `Range`.
    init?(_ headers: HTTPHeaders) {
        let lines = headers.values(for: "Range")
        guard let line = lines.first else { return nil }
        self = lines.count == 1 ? Self(line) : .other
    }

    private init(_ text: String) {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].lowercased() == "bytes" else {
            self = .other
            return
        }
        let ends = halves[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else {
            self = .other
            return
        }
        switch (Self.position(ends[0]), Self.position(ends[1])) {
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (nil, let count?) where ends[0].isEmpty && count > 0: self = .last(count)
        default: self = .other
        }
    }

    private static func position(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// The requested bytes of a representation; `nil` if there are none, or if the length is required but unknown.
    func bounds(in total: Int64?) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard let total else {
                guard let last, last < .max else { return nil }
                return first..<(last + 1)
            }
            guard first < total else { return nil }
            return first..<min(last.map { $0 < .max ? $0 + 1 : $0 } ?? total, total)
        case .last(let count):
            guard let total, total > 0 else { return nil }
            return max(0, total - count)..<total
        case .other:
            return nil
        }
    }
}

extension StoredResponse {
    /// The length of the whole representation, if known.
    var totalLength: Int64? { part.map(\.total) ?? bodyLength }

    /// The requested bytes, as a range of the representation; `nil` unless all of them are stored.
    func stored(_ range: ByteRange) -> Range<Int64>? {
        guard statusCode == 200 || statusCode == 206, let bounds = range.bounds(in: totalLength) else { return nil }
        let available = part?.bounds ?? 0..<bodyLength
        return bounds.isEmpty || bounds.clamped(to: available) != bounds ? nil : bounds
    }

    /// Whether `If-Range` permits a part of this response (RFC 9110, 13.1.5).
    func permitsPart(to request: HTTPRequest) -> Bool {
        guard let condition = request.headers["If-Range"] else { return true }
        if let seconds = HTTPDate.seconds(condition) {
            return headers["Last-Modified"].flatMap(HTTPDate.seconds) == seconds && headers.strongValidator != nil
        }
        guard let tag = EntityTag(condition), let own = headers.entityTag else { return false }
        return tag.stronglyMatches(own)
    }
}
