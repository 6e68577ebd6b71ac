package import Foundation

/// Makes events of the lines of a `text/event-stream`, as the HTML standard says.
package struct EventParser: Sendable {
    /// What the next line or lines of a stream mean.
    package enum Item: Hashable, Sendable {
        case event(ServerSentEvent)
        case comment(String)
    }

    /// The server's last identifier, or the caller's before there is one. It outlives a connection.
    package private(set) var lastEventID: String
    /// How long to wait before connecting anew, once the server has said it.
    package private(set) var retry: Duration?
    /// Whether an event that has a name and no data counts; to browsers it does not.
    package var givesEventsWithoutData = false
    /// Whether comments are wanted.
    package var givesComments = false
    /// The bytes that the lines of one event may have, without their ends. A comment counts while it is one line.
    package var eventLimit = Int.max
    /// Whether an event was longer; nothing is read behind it.
    package private(set) var isBeyondLimit = false

    private var splitter = LineSplitter()
    private var isAtStart = true
    private var name = ""
    /// The lines of data, each with a line feed.
    private var data: [UInt8] = []
    /// The bytes of the lines of the event that is not complete.
    private var lineCount = 0
    private var id: String

    /// - Parameter lastEventID: the event after which the first connection resumes.
    package init(lastEventID: String = "") {
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// The bytes that have come of an event that is not complete. Means what it says once `next()` gives nothing more.
    package var pendingCount: Int { splitter.pendingCount + lineCount }

    package mutating func add(_ bytes: Data) { splitter.add(bytes) }

    /// The next event that is complete, or a comment before it.
    package mutating func next() -> Item? {
        while !isBeyondLimit, var line = splitter.next() {
            if isAtStart, line.starts(with: Self.byteOrderMark) { line = line.dropFirst(Self.byteOrderMark.count) }
            isAtStart = false
            isBeyondLimit = line.count > eventLimit - lineCount
            if isBeyondLimit { return nil }
            if line.isEmpty {
                if let event = dispatch() { return .event(event) }
            } else if line.first == UInt8(ascii: ":") {
                if givesComments { return .comment(Self.text(Self.value(line.dropFirst()))) }
            } else {
                lineCount += line.count
                take(line)
            }
        }
        let mark = isAtStart && splitter.begins(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        isBeyondLimit = isBeyondLimit || splitter.pendingCount - mark > eventLimit - lineCount
        return nil
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Forgets what belongs to the connection that has ended; an event without its end is no event.
    package mutating func reconnect() {
        splitter = LineSplitter()
        isAtStart = true
        name = ""
        data = []
        lineCount = 0
        isBeyondLimit = false
        id = lastEventID
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer {
            name = ""
            data.removeAll(keepingCapacity: data.count <= Self.largestSpareRoom)
            lineCount = 0
        }
        guard !data.isEmpty || (givesEventsWithoutData && !name.isEmpty) else { return nil }
        return ServerSentEvent(name: name.isEmpty ? "message" : name, data: Self.text(data.dropLast()), id: id)
    }

    /// Room beyond this is given back after a long event.
    private static let largestSpareRoom = 1 << 20

    private mutating func take(_ line: ArraySlice<UInt8>) {
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        let value = Self.value(line[colon...].dropFirst())
        switch Field(line[..<colon]) {
        case .event: name = Self.text(value)
        case .data:
            data.append(contentsOf: value)
            data.append(UInt8(ascii: "\n"))
        case .id:
            // The standard passes over NUL. Other control characters could not be sent back in a header either.
            let text = Self.text(value)
            if text.isFieldValue { id = text }
        case .retry:
            guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }), let time = Int64(Self.text(value))
            else { return }
            retry = .milliseconds(time)
        case nil: break
        }
    }

    /// What follows a colon, without the one blank that may stand before it.
    private static func value(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.first == UInt8(ascii: " ") ? bytes.dropFirst() : bytes
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension EventParser {
    /// The fields that mean anything.
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
