public import Foundation

/// What a request sends after its head.
public enum RequestBody: Sendable {
    /// No body at all.
    case none
    /// Bytes in memory.
    case data(Data)
    /// The contents of a file, read while they are sent.
    case file(URL)
    /// Bytes that come piece by piece.
    case stream(BodyStream)

    public var isNone: Bool {
        if case .none = self { true } else { false }
    }

    /// Whether the same bytes can be sent a second time.
    public var isReplayable: Bool {
        if case .stream(let stream) = self { stream.isReplayable } else { true }
    }

    /// The bytes, when they are in memory.
    public var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }
}
