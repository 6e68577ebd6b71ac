/// An action at a point in an exchange.
public struct LoopbackIncident: Sendable {
    /// A server action.
    public enum Action: Sendable {
        /// Performs a fault instead of continuing.
        case fault(LoopbackFault)
        /// Waits for a time, then continues.
        case wait(Duration)
        /// Waits until the barrier is open, then continues.
        case hold(LoopbackBarrier)
    }

    /// The point of the exchange.
    public var point: LoopbackPoint
    /// The action of the server at the point.
    public var action: Action

    /// Creates an incident.
    public init(at point: LoopbackPoint, _ action: Action) {
        self.point = point
        self.action = action
    }
}

/// A fault that a server performs instead of continuing.
public enum LoopbackFault: Sendable, Hashable {
    /// Closes the connection cleanly. Bytes already sent arrive.
    case close
    /// Closes the connection with a reset. The peer's next call fails, and bytes already sent may be lost.
    case reset
    /// Neither reads nor sends until the client or the server closes the connection.
    case stall
    /// Closes the sending direction, and continues to read.
    case halfClose
}

/// A point in an exchange; points are ordered by time.
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

    /// The connection was accepted. Only the response at the front of the queue at that time can use this point.
    public static let connect = Self(stage: .connect, offset: 0)
    /// The first bytes of a request have arrived, but none have been read. Only the response at the front of the queue
    /// at that time can use this point.
    public static let requestStart = Self(stage: .requestStart, offset: 0)
    /// The request head was read.
    public static let requestHead = Self(stage: .requestHead, offset: 0)
    /// The given number of request body bytes were read.
    public static func requestBody(afterBytes count: Int) -> Self { Self(stage: .requestBody, offset: count) }
    /// The request was read, and no byte of the response has been sent.
    public static let responseStart = Self(stage: .responseStart, offset: 0)
    /// The given number of response head bytes were sent.
    public static func responseHead(afterBytes count: Int) -> Self { Self(stage: .responseHead, offset: count) }
    /// The given number of response body bytes were sent; 0 is the point between head and body.
    public static func responseBody(afterBytes count: Int) -> Self { Self(stage: .responseBody, offset: count) }
    /// The whole response was sent.
    public static let responseEnd = Self(stage: .responseEnd, offset: 0)

    public static func < (left: Self, right: Self) -> Bool { (left.stage, left.offset) < (right.stage, right.offset) }
}

struct LoopbackTimeline: Sendable {
    private var incidents: ArraySlice<LoopbackIncident>

    init(_ incidents: some Sequence<LoopbackIncident> = []) { self.incidents = ArraySlice(Array(incidents)) }

    /// Removes and returns the first incident if its point is reached.
    mutating func next(upTo point: LoopbackPoint) -> LoopbackIncident.Action? {
        guard let first = incidents.first, first.point <= point else { return nil }
        return incidents.removeFirst().action
    }

    /// The offset of the next incident if it is in this stage.
    func offset(in stage: LoopbackPoint.Stage) -> Int? {
        guard let point = incidents.first?.point, point.stage == stage else { return nil }
        return point.offset
    }
}
