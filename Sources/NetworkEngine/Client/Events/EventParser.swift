package import Foundation

/// Makes events of the lines of a `text/event-stream`, as the HTML standard says.
package struct EventParser: Sendable {
    /// What the server said last; outlives a connection.
    package private(set) var lastEventID = ""
    /// How long to wait before connecting anew, once the server has said it.
    package private(set) var retry: Duration?
    /// Whether an event that has a name and no data counts; to browsers it does not.
    package var givesEventsWithoutData = false

    private var splitter = LineSplitter()
    private var isAtStart = true
    private var name = ""
    private var data: [Substring] = []
    private var dataCount = 0
    private var id: String

    package init() { id = "" }

    /// The bytes held of an event that is not complete.
    package var pendingCount: Int { splitter.pendingCount + dataCount }

    package mutating func add(_ bytes: Data) { splitter.add(bytes) }

    /// The next event that is complete.
    package mutating func next() -> ServerSentEvent? {
        while var line = splitter.next() {
            if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = Data(line.dropFirst(3)) }
            isAtStart = false
            if line.isEmpty {
                if let event = dispatch() { return event }
            } else {
                take(String(decoding: line, as: UTF8.self))
            }
        }
        return nil
    }

    /// Forgets what belongs to the connection that has ended; an event without its end is no event.
    package mutating func reconnect() {
        splitter = LineSplitter()
        isAtStart = true
        name = ""
        data = []
        dataCount = 0
        id = lastEventID
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer {
            name = ""
            data = []
            dataCount = 0
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
        case "data":
            data.append(value)
            dataCount += value.utf8.count + 1
        case "id": if !value.unicodeScalars.contains("\0") { id = String(value) }
        case "retry":
            guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let time = Int64(value) else {
                return
            }
            retry = .milliseconds(time)
        default: break
        }
    }
}
