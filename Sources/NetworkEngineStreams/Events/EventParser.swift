import Foundation
import NetworkEngine

/// An event in a server's event stream.
public struct ServerSentEvent: Hashable, Sendable {
    /// The event type; `message` by default.
    public var name: String
    /// The data lines, joined by line feeds.
    public var data: String
    /// The last identifier that the server sent, with this event or an earlier one. A new connection resumes after it.
    public var id: String

    /// Creates an event, for example for a mock.
    public init(name: String = "message", data: String, id: String = "") {
        self.name = name
        self.data = data
        self.id = id
    }
}

/// Parses the lines of a `text/event-stream` into events, as specified by the HTML standard.
struct EventParser: Sendable {
    /// The server's last identifier; initially the caller's. It is kept when reconnecting.
    private(set) var lastEventID: String
    /// The reconnection delay set by the server.
    private(set) var retry: Duration?
    /// Whether an event with a name but no data is an event. Browsers ignore it.
    var includesEventsWithoutData = false
    /// Whether comments are kept for `takeComments()`.
    var includesComments = false
    /// The maximum number of bytes in an event's lines, without line endings. A comment counts as one line.
    var eventLimit = Int.max
    /// Whether an event exceeded the limit. Parsing stops there.
    private(set) var isBeyondLimit = false

    private var splitter = LineSplitter()
    private var isAtStart = true
    private var name: String?
    /// The data lines, joined by line feeds; `nil` before the first.
    private var data: String?
    /// The identifier of the incomplete event.
    private var newID: String?
    /// The number of bytes in the complete lines of the incomplete event.
    private var lineCount = 0
    private var comments: [String] = []

    /// - Parameter lastEventID: the event after which the first connection resumes.
    init(lastEventID: String = "") { self.lastEventID = lastEventID }

    /// The number of bytes in the incomplete event. Valid after `next()` has returned `nil`.
    var pendingCount: Int { splitter.pendingCount + lineCount }

    mutating func add(_ bytes: Data) { splitter.add(bytes) }

    /// Returns the next complete event.
    mutating func next() -> ServerSentEvent? {
        while !isBeyondLimit, let line = splitter.next() {
            if let event = line.withUnsafeBytes({ read($0) }) { return event }
        }
        let mark = isAtStart && splitter.begins(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        isBeyondLimit = isBeyondLimit || splitter.pendingCount - mark > eventLimit - lineCount
        return nil
    }

    /// Returns the comments before the event returned by `next()`, or before the incomplete event.
    mutating func takeComments() -> [String] {
        guard !comments.isEmpty else { return comments }
        defer { comments = [] }
        return comments
    }

    /// Resets the state of the closed connection and discards an incomplete event.
    mutating func reconnect() {
        splitter = LineSplitter()
        isAtStart = true
        name = nil
        data = nil
        newID = nil
        lineCount = 0
        isBeyondLimit = false
    }
}

extension EventParser {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Reads a line, and returns the event that it completes.
    private mutating func read(_ line: UnsafeRawBufferPointer) -> ServerSentEvent? {
        var line = line
        if isAtStart {
            isAtStart = false
            if line.starts(with: Self.byteOrderMark) { line = line.dropping(Self.byteOrderMark.count) }
        }
        isBeyondLimit = line.count > eventLimit - lineCount
        guard !isBeyondLimit else { return nil }
        guard let first = line.first else { return dispatch() }
        if first == UInt8(ascii: ":") {
            if includesComments { comments.append(Self.value(line, after: 0)) }
        } else {
            lineCount += line.count
            apply(line)
        }
        return nil
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lineCount = 0
        if let id = newID.take() { lastEventID = id }
        let name = name.take()
        guard let data = data.take() ?? (includesEventsWithoutData && name != nil ? "" : nil) else { return nil }
        return ServerSentEvent(name: name ?? "message", data: data, id: lastEventID)
    }

    /// Applies a field. Names other than these four are ignored.
    private mutating func apply(_ line: UnsafeRawBufferPointer) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        let field = UnsafeRawBufferPointer(rebasing: line[..<colon])
        if field.equals("data") {
            let text = Self.value(line, after: colon)
            if data == nil {
                data = text
            } else {
                data?.append("\n")
                data?.append(text)
            }
        } else if field.equals("event") {
            let text = Self.value(line, after: colon)
            name = text.isEmpty ? nil : text
        } else if field.equals("id") {
            // The standard ignores an identifier with NUL. Other control characters cannot be sent in a header either.
            let text = Self.value(line, after: colon)
            if text.isFieldValue { newID = text }
        } else if field.equals("retry") {
            let text = Self.value(line, after: colon)
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let time = Int64(text) else {
                return
            }
            retry = .milliseconds(time)
        }
    }

    /// The text after the colon, without one optional space.
    private static func value(_ line: UnsafeRawBufferPointer, after colon: Int) -> String {
        let text = line.dropping(colon + 1)
        return String(decoding: text.first == UInt8(ascii: " ") ? text.dropping(1) : text, as: UTF8.self)
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes after the first ones.
    fileprivate func dropping(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: dropFirst(count))
    }

    fileprivate func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let baseAddress else { return false }
        return memcmp(baseAddress, text.utf8Start, count) == 0
    }
}
