import Foundation

/// Decides when to report a lost session to the app: once per session. A pure state machine.
struct SessionLosses: Sendable {
    /// The number of lost sessions.
    private(set) var session = 0
    private var isLost = false
    /// Identifies the latest token without storing it.
    private var token: Int?

    init() {}

    /// Records that a refresh has failed permanently.
    ///
    /// - Returns: whether the session was still valid before.
    mutating func sessionEnded() -> Bool {
        guard !isLost else { return false }
        isLost = true
        session += 1
        return true
    }

    /// Records a successful refresh.
    mutating func sessionBegan() { isLost = false }

    /// Records a token. A different token belongs to a different session.
    ///
    /// - Returns: whether it replaces a lost session.
    @discardableResult
    mutating func sent(_ token: String) -> Bool {
        guard token.hashValue != self.token else { return false }
        self.token = token.hashValue
        defer { isLost = false }
        return isLost
    }

    /// Records a successful call. It does not count for a session that was lost after the call started.
    ///
    /// - Returns: whether it shows a new session after a lost one.
    @discardableResult
    mutating func accepted(in session: Int) -> Bool {
        guard session == self.session else { return false }
        defer { isLost = false }
        return isLost
    }
}

extension RefreshFailure {
    /// Whether this failure loses the app's session. After a network or server failure, another refresh can succeed.
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

/// Stores the current generation. There always is one, because the store can't tell whether a user is signed in.
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
