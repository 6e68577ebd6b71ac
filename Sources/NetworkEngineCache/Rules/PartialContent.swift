import NetworkEngine

/// Combines two parts of one representation (RFC 9111, 3.4).
struct PartialContent: Hashable, Sendable {
    /// Bytes of one of the two bodies.
    enum Piece: Hashable, Sendable {
        case stored(Range<Int64>)
        case received(Range<Int64>)
    }

    /// The head of the combined response, with the new response's fields.
    let response: StoredResponse
    /// The pieces of the combined body in order, as ranges of each body.
    let pieces: [Piece]

    /// Combines a stored response with a part that was received later.
    ///
    /// `nil` unless both have the same strong validator, and the parts touch or overlap.
    init?(stored: StoredResponse, received: StoredResponse) {
        guard let new = received.part, stored.statusCode == 206 || stored.statusCode == 200,
            let validator = stored.headers.strongValidator, validator == received.headers.strongValidator,
            !stored.headers.contains("Content-Encoding"), !received.headers.contains("Content-Encoding"),
            stored.variant == received.variant
        else { return nil }
        let old = stored.part?.bounds ?? 0..<stored.bodyLength
        guard Int64(old.count) == stored.bodyLength, Int64(new.bounds.count) == received.bodyLength,
            stored.totalLength == nil || new.total == nil || stored.totalLength == new.total,
            old.lowerBound <= new.bounds.upperBound, new.bounds.lowerBound <= old.upperBound
        else { return nil }
        let total = stored.totalLength ?? new.total
        let all = min(old.lowerBound, new.bounds.lowerBound)..<max(old.upperBound, new.bounds.upperBound)
        guard total.map({ all.upperBound <= $0 }) ?? true else { return nil }

        var pieces: [Piece] = []
        if old.lowerBound < new.bounds.lowerBound {
            pieces.append(.stored(0..<(new.bounds.lowerBound - old.lowerBound)))
        }
        pieces.append(.received(0..<received.bodyLength))
        if old.upperBound > new.bounds.upperBound {
            pieces.append(.stored((new.bounds.upperBound - old.lowerBound)..<stored.bodyLength))
        }
        self.pieces = pieces

        var response = received
        response.headers = stored.headers.merging(received.headers)
        response.headers["Content-Range"] = nil
        response.headers["Content-Length"] = nil
        // A digest describes a single message's content.
        response.headers["Content-Digest"] = nil
        response.bodyLength = Int64(all.count)
        let part = StoredResponse.Part(bounds: all, total: total)
        if part.isWhole {
            (response.statusCode, response.part) = (200, nil)
        } else {
            (response.statusCode, response.part) = (206, part)
            response.headers["Content-Range"] = part.text
        }
        self.response = response
    }
}

extension StoredResponse {
    /// The fields that request the missing end of a partial response; `nil` if it could not be combined.
    var conditionsForRest: HTTPHeaders? {
        guard let part, part.bounds.lowerBound == 0, let total = part.total, part.bounds.upperBound < total,
            !headers.contains("Content-Encoding"), let validator = headers.strongValidator
        else { return nil }
        return ["Range": "bytes=\(part.bounds.upperBound)-", "If-Range": validator]
    }
}
