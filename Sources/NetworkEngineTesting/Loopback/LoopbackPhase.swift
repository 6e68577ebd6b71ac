/// The phase of a connection.
enum LoopbackPhase {
    case requesting
    case deciding(Task<Void, Never>)
    case responding
    case stalled(listens: Bool)
    /// The connection has left HTTP.
    case upgraded(LoopbackUpgrade)
    /// The response was sent. The connection continues to read for a while, so that a reset does not overtake the
    /// response.
    case draining
    case closed

    var isClosed: Bool {
        if case .closed = self { return true }
        return false
    }

    /// Notifies the phase's task that the connection ends.
    func connectionEnds() {
        switch self {
        case .deciding(let task): task.cancel()
        case .upgraded(let upgrade): upgrade.channel.lost()
        case .requesting, .responding, .stalled, .draining, .closed: break
        }
    }
}
