package import Foundation
import NetworkEngine

/// An event of a server's event stream.
public struct ServerSentEvent: Hashable, Sendable {
    /// The type of the event; `message` by default.
    public var name: String
    /// The lines of the data, joined by line feeds.
    public var data: String
    /// The last identifier that the server sent, with this event or earlier. A new connection resumes after it.
    public var id: String

    /// Creates an event, for example for a mock.
    public init(name: String = "message", data: String, id: String = "") {
        self.name = name
        self.data = data
        self.id = id
    }
}

/// Parses the lines of a `text/event-stream` into events, as specified by the HTML standard.
package struct EventParser: Sendable {
    /// An event or a comment of the stream.
    package enum Item: Hashable, Sendable {
        case event(ServerSentEvent)
        case comment(String)
    }

    /// The server's last identifier; initially the caller's. It survives reconnecting.
    package private(set) var lastEventID: String
    /// The reconnection delay that the server has set.
    package private(set) var retry: Duration?
    /// Whether an event with a name but no data is an event. Browsers ignore it.
    package var includesEventsWithoutData = false
    /// Whether `next()` returns comments.
    package var includesComments = false
    /// The maximum number of bytes of an event's lines, without line endings. A comment counts as one line.
    package var eventLimit = Int.max
    /// Whether an event exceeded the limit. Parsing stops there.
    package private(set) var isBeyondLimit = false

    private var splitter = LineSplitter()
    private var isAtStart = true
    private var name = ""
    /// The data lines, joined by line feeds; `nil` before the first.
    private var data: String?
    /// The number of bytes in the complete lines of the incomplete event.
    private var lineCount = 0
    private var id: String

    /// - Parameter lastEventID: the event after which the first connection resumes.
    package init(lastEventID: String = "") {
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// The number of bytes of the incomplete event. Valid after `next()` has returned `nil`.
    package var pendingCount: Int { splitter.pendingCount + lineCount }

    package mutating func add(_ bytes: Data) { splitter.add(bytes) }

    /// Returns the next complete event or comment.
    package mutating func next() -> Item? {
        while !isBeyondLimit, var line = splitter.next() {
            if isAtStart, line.starts(with: Self.byteOrderMark) { line = line.dropFirst(Self.byteOrderMark.count) }
            isAtStart = false
            isBeyondLimit = line.count > eventLimit - lineCount
            if isBeyondLimit { return nil }
            if line.isEmpty {
                if let event = dispatch() { return .event(event) }
            } else if line.first == UInt8(ascii: ":") {
                if includesComments { return .comment(Self.text(Self.value(line.dropFirst()))) }
            } else {
                lineCount += line.count
                apply(line)
            }
        }
        let mark = isAtStart && splitter.begins(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        isBeyondLimit = isBeyondLimit || splitter.pendingCount - mark > eventLimit - lineCount
        return nil
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Resets the state of the ended connection and discards an incomplete event.
    package mutating func reconnect() {
        splitter = LineSplitter()
        isAtStart = true
        name = ""
        data = nil
        lineCount = 0
        isBeyondLimit = false
        id = lastEventID
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer {
            name = ""
            data = nil
            lineCount = 0
        }
        guard data != nil || (includesEventsWithoutData && !name.isEmpty) else { return nil }
        return ServerSentEvent(name: name.isEmpty ? "message" : name, data: data ?? "", id: id)
    }

    private mutating func apply(_ line: ArraySlice<UInt8>) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        let value = Self.value(line[colon...].dropFirst())
        switch Field(line[..<colon]) {
        case .event: name = Self.text(value)
        case .data:
            let text = Self.text(value)
            if data == nil {
                data = text
            } else {
                data?.append("\n")
                data?.append(text)
            }
        case .id:
            // The standard ignores an identifier with NUL. Other control characters cannot be sent in a header either.
            let text = Self.text(value)
            if text.isFieldValue { id = text }
        case .retry:
            guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }), let time = Int64(Self.text(value))
            else { return }
            retry = .milliseconds(time)
        case nil: break
        }
    }

    /// Removes one optional space after the colon.
    private static func value(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.first == UInt8(ascii: " ") ? bytes.dropFirst() : bytes
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension EventParser {
    /// The known field names. All others are ignored.
    private enum Field {
        case event, data, id, retry

        init?(_ name: ArraySlice<UInt8>) {
            if name.elementsEqual("data".utf8) {
                self = .data
            } else if name.elementsEqual("event".utf8) {
                self = .event
            } else if name.elementsEqual("id".utf8) {
                self = .id
            } else if name.elementsEqual("retry".utf8) {
                self = .retry
            } else {
                return nil
            }
        }
    }
}
