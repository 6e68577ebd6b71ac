import Foundation

/// Decides when to report a lost session to the app: once for each session. A pure state machine.
struct SessionLosses: Sendable {
    /// The number of lost sessions.
    private(set) var session = 0
    private var isLost = false
    /// Identifies the latest token without storing it.
    private var token: Int?

    init() {}

    /// Records that a refresh has failed for good.
    ///
    /// - Returns: whether the session was not lost before.
    mutating func sessionEnded() -> Bool {
        guard !isLost else { return false }
        isLost = true
        session += 1
        return true
    }

    /// Records a successful refresh.
    mutating func sessionBegan() { isLost = false }

    /// Records a token. Another token belongs to another session.
    ///
    /// - Returns: whether it replaces a lost session.
    @discardableResult
    mutating func sent(_ token: String) -> Bool {
        guard token.hashValue != self.token else { return false }
        self.token = token.hashValue
        defer { isLost = false }
        return isLost
    }

    /// Records a successful call. It shows nothing about a session that was lost after the call began.
    ///
    /// - Returns: whether it shows a session after a lost one.
    @discardableResult
    mutating func accepted(in session: Int) -> Bool {
        guard session == self.session else { return false }
        defer { isLost = false }
        return isLost
    }
}

extension RefreshFailure {
    /// Whether a session that the app keeps is lost. After a failure of the network or the server, another refresh can
    /// succeed.
    var losesSession: Bool {
        switch self {
        case .declined, .sessionExpired, .signedOut: true
        case .excessiveRefresh, .timedOut, .expiredOnArrival: false
        case .failed(is CancellationError): false
        case .failed(is NetworkError): networkCause == nil
        case .failed(let error): (error as NSError).domain != NSURLErrorDomain
        }
    }
}

/// Distinguishes one session from the next. Other code adds the session to requests.
struct SessionGeneration: Credential {
    var number = 0

    var next: SessionGeneration { SessionGeneration(number: number + 1) }
    var expiresAt: Date? { nil }

    func apply(to request: inout HTTPRequest) {}

    func isSetByHand(in request: HTTPRequest) -> Bool { false }
}

/// Stores the current generation. There always is one, because the store does not know whether a user is signed in.
struct SessionGenerationStore: CredentialStore {
    private let generation = Locked(SessionGeneration())

    func load() -> SessionGeneration? { generation.withLock { $0 } }

    func save(_ new: SessionGeneration?, replacing old: SessionGeneration?) -> Bool {
        generation.withLock { generation in
            guard generation == old else { return false }
            generation = new ?? generation.next
            return true
        }
    }
}
