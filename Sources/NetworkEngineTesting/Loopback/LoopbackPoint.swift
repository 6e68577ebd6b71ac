/// A moment of an exchange, in the order in which they come.
///
/// Offsets count bytes on the wire within the head, and payload bytes (before chunk framing) within a body. An offset
/// past the end of a body means its end.
public struct LoopbackPoint: Sendable, Hashable, Comparable {
    enum Stage: Int, Sendable, Comparable {
        case connect, requestStart, requestHead, requestBody, responseStart, responseHead, responseBody, responseEnd

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    let stage: Stage
    let offset: Int

    /// The connection was accepted. Only an answer that is next in the queue then is asked.
    public static let connect = Self(stage: .connect, offset: 0)
    /// Bytes of a request have come, none was read. Only an answer that is next in the queue then is asked.
    public static let requestStart = Self(stage: .requestStart, offset: 0)
    /// The head of the request was read.
    public static let requestHead = Self(stage: .requestHead, offset: 0)
    /// So many bytes of the request's body were read.
    public static func requestBody(afterBytes count: Int) -> Self { Self(stage: .requestBody, offset: count) }
    /// The request was read, nothing of the response is sent.
    public static let responseStart = Self(stage: .responseStart, offset: 0)
    /// So many bytes of the response's head are sent.
    public static func responseHead(afterBytes count: Int) -> Self { Self(stage: .responseHead, offset: count) }
    /// So many bytes of the response's body are sent; 0 is the moment between head and body.
    public static func responseBody(afterBytes count: Int) -> Self { Self(stage: .responseBody, offset: count) }
    /// All of the response is sent.
    public static let responseEnd = Self(stage: .responseEnd, offset: 0)

    public static func < (left: Self, right: Self) -> Bool { (left.stage, left.offset) < (right.stage, right.offset) }
}
