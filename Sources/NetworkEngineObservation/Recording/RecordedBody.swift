import Foundation
import NetworkEngine

/// The body bytes kept in a recording.
struct RecordedBody: Sendable {
    var data = Data()
    /// The length of the whole body, if known.
    var length: Int64?
    /// Why bytes are missing.
    var note: String?

    /// - Returns: `nil` for a request without a body.
    init?(_ body: RequestBody, coding: String?, limit: Int) {
        switch body {
        case .absent: return nil
        case .data(let data): keep(data, coding: coding, limit: limit)
        case .file(let file): note = "The body is the file \(file.lastPathComponent)."
        case .stream(let stream):
            guard let segments = stream.segments else {
                length = stream.length
                note = "The body is a stream."
                return
            }
            keep(Self.summary(of: segments, limit: limit), coding: coding, limit: limit)
            length = stream.length
            note = note ?? (length == Int64(data.count) ? nil : "Files and streams in the body are not recorded.")
        }
    }

    init(_ body: ResponseBody, coding: String?, limit: Int) {
        switch body {
        case .data(let data): keep(data, coding: coding, limit: limit)
        case .file: note = "The body is a file."
        case .stream: note = "The body is a stream."
        }
    }

    /// Copies the bytes, so that a large body does not remain in memory because of its first bytes.
    private mutating func keep(_ whole: Data, coding: String?, limit: Int) {
        length = Int64(whole.count)
        if BodyCoding.isCoded(coding), whole.count > limit || !BodyCoding.canRead(whole, coding: coding) {
            note = "The compressed body has \(whole.count) bytes, which are not recorded."
        } else if whole.count > limit {
            data = whole.withUnsafeBytes { Data($0.prefix($0.wholeCharacters(limit))) }
            note = "The body has \(whole.count) bytes; the first \(data.count) are recorded."
        } else {
            data = whole.withUnsafeBytes { Data($0) }
        }
    }

    /// The body's data, with the names of its files.
    private static func summary(of segments: [BodyStream.Segment], limit: Int) -> Data {
        var data = Data()
        for segment in segments where data.count <= limit {
            switch segment.content {
            case .data(let piece): data.append(piece.prefix(limit + 1 - data.count))
            case .file(let file): data.append(contentsOf: "<file \(file.lastPathComponent)>".utf8)
            case .source(let source): data.append(contentsOf: "<\(source.length) bytes>".utf8)
            case .stream: data.append(contentsOf: "<stream>".utf8)
            }
        }
        return data
    }
}

extension UnsafeRawBufferPointer {
    /// The number of bytes, at most the limit, that do not end within a UTF-8 character.
    fileprivate func wholeCharacters(_ limit: Int) -> Int {
        var end = Swift.min(Swift.max(limit, 0), count)
        // A character has at most three continuation bytes.
        for _ in 0..<3 where end > 0 && end < count && self[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }
}
