/// A moment of a call.
///
/// Every call that starts ends, and so does every attempt and every exchange:
///
/// - a call has attempts, one after the other;
/// - an attempt has exchanges with a server: one for each redirect, and two at a time if a request is hedged;
/// - an event of an exchange lies between the start and the end of the exchange, that of an exchange between those of
///   its attempt, and that of an attempt between those of its call.
///
/// The events of a call arrive in the order of their instants. A call starts when its request is built; if the request
/// cannot be built, the call has no events. It ends after its decoding and before its caller continues. The call of a
/// stream ends when its body has ended or its reader is released. The connections of an event stream are attempts of
/// one call. Calls that share an exchange have an attempt each, and the exchange belongs to the first of them. The
/// calls of a token refresh are separate calls. Background transfers have no events.
///
/// Requests and responses are those that were sent and received, with their secrets. Their descriptions contain no
/// secrets.
public struct NetworkEvent: Sendable {
    /// What happened.
    public indirect enum Kind: Sendable {
        /// The call started.
        case callStarted(CallStart)
        /// An attempt started, with the request before interceptors. An attempt that was paused starts another one.
        case attemptStarted(HTTPRequest)
        /// The exchange waits for a permit.
        case queued
        /// The exchange has a permit.
        case admitted
        /// An exchange started, with the request as sent.
        case exchangeStarted(HTTPRequest)
        /// The exchange has a connection.
        ///
        /// libcurl reports it before the request is sent, and again with the protocol when a head has arrived.
        /// URLSession reports it at the end of the exchange, and not on Linux.
        case connected(Connection)
        /// The head of a response arrived.
        case responded(Head)
        /// Bytes of a body were sent or received: at most every 50 milliseconds in each direction, and after the last.
        case progressed(TransferProgress)
        /// The exchange ended, with a response of any status or with an error.
        case exchangeEnded(ExchangeEnd)
        /// A response led to another address.
        case redirected(Redirection)
        /// The cache answered a request with a stored response, or passed it on.
        case cacheAnswered(CacheAnswer)
        /// The attempt ended, with an accepted response or with an error.
        case attemptEnded(AttemptEnd)
        /// The engine decided whether another attempt follows a failed one.
        case retryDecided(RetryChoice)
        /// The call waits for a credential.
        case refreshStarted(Refresh)
        /// The call no longer waits for a credential.
        case refreshEnded(Refresh)
        /// A part of a stream arrived.
        case streamEvent(StreamPart)
        /// The connection of an event stream was lost and is made again.
        case reconnecting(Reconnection)
        /// The response was decoded, or could not be.
        case decoded(Decoding)
        /// The call ended. It is the last event of the call.
        case callEnded(CallEnd)
        /// The observer was too slow, and this number of calls was not observed. The event belongs to no call.
        case dropped(calls: Int)
        /// The bodies of so many messages were left out, because the observer was behind. This event belongs to no
        /// call.
        case bodiesDropped(messages: Int)
    }

    /// Identifies the call. All events of a call have the same identifier.
    public let callID: RequestID
    /// The number of the attempt, from 1; 0 before the first.
    public let attempt: Int
    /// The number of the exchange within the call, from 1; 0 for an event of no exchange.
    public let exchange: Int
    package let moment: Moment
    /// The time of the event.
    public var instant: ContinuousClock.Instant { moment.instant }
    /// What happened.
    public let kind: Kind

    /// Creates an event, for example to test an observer.
    public init(
        callID: RequestID,
        attempt: Int = 0,
        exchange: Int = 0,
        instant: ContinuousClock.Instant = .now,
        kind: Kind
    ) {
        self.init(callID: callID, attempt: attempt, exchange: exchange, moment: Moment(instant), kind: kind)
    }

    init(callID: RequestID, attempt: Int, exchange: Int, moment: Moment, kind: Kind) {
        self.callID = callID
        self.attempt = attempt
        self.exchange = exchange
        self.moment = moment
        self.kind = kind
    }
}

extension NetworkEvent: CustomStringConvertible {
    /// The call and the name of the kind, without secrets.
    public var description: String { "\(callID) \(kind.name)" }
}

extension NetworkEvent.Kind {
    /// The name of the case.
    public var name: String {
        switch self {
        case .callStarted: "callStarted"
        case .attemptStarted: "attemptStarted"
        case .queued: "queued"
        case .admitted: "admitted"
        case .exchangeStarted: "exchangeStarted"
        case .connected: "connected"
        case .responded: "responded"
        case .progressed: "progressed"
        case .exchangeEnded: "exchangeEnded"
        case .redirected: "redirected"
        case .cacheAnswered: "cacheAnswered"
        case .attemptEnded: "attemptEnded"
        case .retryDecided: "retryDecided"
        case .refreshStarted: "refreshStarted"
        case .refreshEnded: "refreshEnded"
        case .streamEvent: "streamEvent"
        case .reconnecting: "reconnecting"
        case .decoded: "decoded"
        case .callEnded: "callEnded"
        case .dropped: "dropped"
        case .bodiesDropped: "bodiesDropped"
        }
    }
}
