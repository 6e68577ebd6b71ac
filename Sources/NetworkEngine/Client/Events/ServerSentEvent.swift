/// Something that a server says in a stream of events.
public struct ServerSentEvent: Hashable, Sendable {
    /// What kind of event it is; `message` unless the server says otherwise.
    public var name: String
    /// Its lines, joined by line feeds.
    public var data: String
    /// The last identifier that the server gave, with this event or before; what a new connection asks to go on from.
    public var id: String

    public init(name: String = "message", data: String, id: String = "") {
        self.name = name
        self.data = data
        self.id = id
    }
}
