package import Foundation

/// Makes events of the lines of a `text/event-stream`, as the HTML standard says.
package struct EventParser: Sendable {
    /// What the server said last; outlives a connection.
    package private(set) var lastEventID = ""
    /// How long to wait before connecting anew, once the server has said it.
    package private(set) var retry: Duration?
    /// Whether an event that has a name and no data counts; to browsers it does not.
    package var givesEventsWithoutData = false
    /// The bytes that the lines of one event may have, without their ends. A comment counts while it is one line.
    package var eventLimit = Int.max
    /// Whether an event was longer; nothing is read behind it.
    package private(set) var isBeyondLimit = false

    private var splitter = LineSplitter()
    private var isAtStart = true
    private var name = ""
    private var data: [Substring] = []
    /// The bytes of the lines of the event that is not complete.
    private var lineCount = 0
    private var id: String

    package init() { id = "" }

    /// The bytes that have come of an event that is not complete. Means what it says once `next()` gives nothing more.
    package var pendingCount: Int { splitter.pendingCount + lineCount }

    package mutating func add(_ bytes: Data) { splitter.add(bytes) }

    /// The next event that is complete.
    package mutating func next() -> ServerSentEvent? {
        while !isBeyondLimit, var line = splitter.next() {
            if isAtStart, line.starts(with: Self.byteOrderMark) {
                line = Data(line.dropFirst(Self.byteOrderMark.count))
            }
            isAtStart = false
            isBeyondLimit = line.count > eventLimit - lineCount
            if isBeyondLimit { return nil }
            if line.isEmpty {
                if let event = dispatch() { return event }
            } else {
                if line.first != UInt8(ascii: ":") { lineCount += line.count }
                take(String(decoding: line, as: UTF8.self))
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
            data = []
            lineCount = 0
        }
        guard !data.isEmpty || (givesEventsWithoutData && !name.isEmpty) else { return nil }
        let text = data.joined(separator: "\n")
        return ServerSentEvent(name: name.isEmpty ? "message" : name, data: text, id: id)
    }

    private mutating func take(_ line: String) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        // A line that begins with a colon is a comment, often just a sign of life.
        guard let field = parts.first, !field.isEmpty else { return }
        var value = parts.count > 1 ? parts[1] : ""
        if value.first == " " { value = value.dropFirst() }
        switch field {
        case "event": name = String(value)
        case "data": data.append(value)
        // The standard passes over NUL. Other control characters could not be sent back in a header either.
        case "id": if value.isFieldValue { id = String(value) }
        case "retry":
            guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let time = Int64(value) else {
                return
            }
            retry = .milliseconds(time)
        default: break
        }
    }
}
