/// An event in a call.
///
/// Every call that starts also ends, and so does every attempt and every exchange:
///
/// - A call has attempts, one after the other.
/// - An attempt has exchanges with a server: one for each redirect, and two at a time if a request is hedged.
/// - The events of an exchange occur between its start and its end. An exchange starts and ends within its attempt, and
///   an attempt within its call.
///
/// The events of a call arrive in chronological order. A call starts when its request is built; if the request cannot
/// be built, the call has no events. It ends after decoding and before its caller continues. A stream's call ends when
/// its body has ended or its reader is released. The connections of an event stream are attempts of one call. Calls
/// that share an exchange each have an attempt, and the exchange belongs to the first call. The calls of a token
/// refresh are separate calls. Background transfers have no events.
///
/// Requests and responses are as sent and received, including their secrets. Their descriptions contain no secrets.
public struct NetworkEvent: Sendable {
    /// What happened.
    public indirect enum Kind: Sendable {
        /// The call started.
        case callStarted(CallStart)
        /// An attempt started, with the request before interceptors. A paused attempt is followed by another one.
        case attemptStarted(HTTPRequest)
        /// The exchange is waiting for a permit.
        case queued
        /// The exchange has a permit.
        case admitted
        /// An exchange started, with the request as sent.
        case exchangeStarted(HTTPRequest)
        /// The exchange has a connection.
        ///
        /// libcurl reports it before the request is sent, and again with the protocol when a head has arrived.
        /// URLSession reports it at the end of the exchange, but not on Linux.
        case connected(Connection)
        /// The head of a response arrived.
        case responded(Head)
        /// Bytes of a body were sent or received. Posted at most every 50 milliseconds per direction, and after the
        /// last byte.
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
        /// The call is waiting for a credential.
        case refreshStarted(Refresh)
        /// The call stopped waiting for a credential.
        case refreshEnded(Refresh)
        /// A part of a stream arrived.
        case streamEvent(StreamPart)
        /// The connection of an event stream was lost, and the stream reconnects.
        case reconnecting(Reconnection)
        /// The response was decoded, or failed to decode.
        case decoded(Decoding)
        /// The call ended. It is the last event of the call.
        case callEnded(CallEnd)
        /// The observer was too slow, and this number of calls was not observed. The event belongs to no call.
        case dropped(calls: Int)
        /// The observer was too slow, and the bodies of this number of messages were omitted. The event belongs to no
        /// call.
        case bodiesDropped(messages: Int)
    }

    /// Identifies the call. All events of a call have the same identifier.
    public let callID: RequestID
    /// The number of the attempt, starting with 1; 0 before the first.
    public let attempt: Int
    /// The number of the exchange within the call, starting with 1; 0 for an event outside an exchange.
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
    /// The call and the kind's name, without secrets.
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
