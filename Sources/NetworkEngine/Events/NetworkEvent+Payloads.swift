public import Foundation

extension NetworkEvent {
    /// The start of a call.
    public struct CallStart: Sendable {
        /// The request as built, before interceptors.
        public var request: HTTPRequest
        /// The name of the target's type; `nil` without a target.
        public var targetName: String?
        /// The template of the target's path, such as `/users/{id}`; `nil` if the target has none.
        public var template: String?
        /// The name of a GraphQL operation.
        public var operationName: String?
        /// The time of day.
        public var date: Date
        /// The caller's span: `TraceContext.current`.
        public var parent: TraceParent?

        /// Creates the start of a call, for example to test an observer.
        public init(
            request: HTTPRequest,
            targetName: String? = nil,
            template: String? = nil,
            operationName: String? = nil,
            date: Date = Date(),
            parent: TraceParent? = nil
        ) {
            self.request = request
            self.targetName = targetName
            self.template = template
            self.operationName = operationName
            self.date = date
            self.parent = parent
        }
    }

    /// A connection, with the details that the transport reports.
    public struct Connection: Hashable, Sendable {
        /// Whether an earlier exchange used the connection; `nil` if unknown.
        public var isReused: Bool?
        /// The peer's numeric address. The peer may be a proxy.
        public var remoteAddress: String?
        /// The peer's port. The peer may be a proxy.
        public var remotePort: Int?
        /// The application protocol's ALPN name: `http/1.1`, `h2`, `h3`.
        public var networkProtocol: String?
        /// Whether the connection is encrypted.
        public var isSecure: Bool?

        /// Creates a connection. Omitted values are unknown.
        public init(
            isReused: Bool? = nil,
            remoteAddress: String? = nil,
            remotePort: Int? = nil,
            networkProtocol: String? = nil,
            isSecure: Bool? = nil
        ) {
            self.isReused = isReused
            self.remoteAddress = remoteAddress
            self.remotePort = remotePort
            self.networkProtocol = networkProtocol
            self.isSecure = isSecure
        }
    }

    /// The head of a response.
    public struct Head: Sendable {
        /// The response status.
        public var statusCode: Int
        /// The response's header fields.
        public var headers: HTTPHeaders

        /// Creates a head, for example to test an observer.
        public init(statusCode: Int, headers: HTTPHeaders) {
            self.statusCode = statusCode
            self.headers = headers
        }
    }

    /// The end of an exchange: a response, whatever its status, or an error.
    public struct ExchangeEnd: Sendable {
        /// The response. The body of a stream or a download is not in memory.
        public var result: Result<HTTPResponse, NetworkError>
        /// The times and sizes that the transport reports.
        public var metrics: ExchangeMetrics?

        /// Creates the end of an exchange, for example to test an observer.
        public init(result: Result<HTTPResponse, NetworkError>, metrics: ExchangeMetrics? = nil) {
            self.result = result
            self.metrics = metrics
        }
    }

    /// A response that leads to another address.
    public struct Redirection: Sendable {
        /// The response status, such as 302.
        public var statusCode: Int
        /// The request that follows.
        public var request: HTTPRequest

        /// Creates a redirection, for example to test an observer.
        public init(statusCode: Int, request: HTTPRequest) {
            self.statusCode = statusCode
            self.request = request
        }
    }

    /// How a cache handled an exchange.
    public struct CacheAnswer: Hashable, Sendable {
        /// The ways a cache can handle a request.
        public enum Outcome: String, Hashable, Sendable {
            /// The stored response was fresh enough.
            case hit
            /// The stored response was stale, but allowed.
            case stale
            /// The server confirmed the stored response.
            case revalidated
            /// No usable response was stored.
            case miss
            /// The request or its policy does not allow the cache to be used.
            case bypassed
        }

        /// How the cache handled the request.
        public var outcome: Outcome
        /// The `Cache-Status` field (RFC 9211) that the cache would send.
        public var status: String

        /// Creates an answer, for example to test an observer.
        public init(outcome: Outcome, status: String = "") {
            self.outcome = outcome
            self.status = status
        }
    }

    /// The end of an attempt: an accepted response or an error.
    public struct AttemptEnd: Sendable {
        /// The accepted response or the error. The body of a stream is omitted.
        public var result: Result<HTTPResponse, NetworkError>

        /// Creates the end of an attempt, for example to test an observer.
        public init(result: Result<HTTPResponse, NetworkError>) { self.result = result }
    }

    /// What follows a failed attempt.
    public struct RetryChoice: Hashable, Sendable {
        /// Why the call is retried or not.
        public enum Reason: String, Hashable, Sendable {
            /// An interceptor requested it.
            case advised
            /// A credential was refreshed, and the request is resent with it. This is not a retry.
            case refreshed
            /// No interceptor requested a retry.
            case notAdvised
            /// The attempt limit was reached.
            case attemptLimit
            /// The delay exceeds the call's remaining time.
            case deadline
            /// The request body can be sent only once.
            case bodyNotReplayable
            /// The call was canceled.
            case cancelled
            /// An interceptor replaced the error.
            case errorReplaced
            /// The caller paused a download, which now resumes.
            case resumed
        }

        /// The delay before the next attempt; `nil` if no attempt follows.
        public var delay: Duration?
        /// Why the call is retried or not.
        public var reason: Reason

        /// Creates a choice, for example to test an observer.
        public init(delay: Duration?, reason: Reason) {
            self.delay = delay
            self.reason = reason
        }
    }

    /// A credential refresh, from the point of view of one call.
    public struct Refresh: Hashable, Sendable {
        /// The end of a wait for a refresh.
        public enum Outcome: String, Hashable, Sendable {
            /// The credential was refreshed.
            case succeeded
            /// The refresh failed.
            case failed
            /// The call stopped waiting: it was canceled, its deadline passed, or its session ended.
            case cancelled
        }

        /// Whether another call started the refresh, and this one waits for it.
        public var isJoined: Bool
        /// The outcome, in the end event.
        public var outcome: Outcome?

        /// Creates a refresh, for example to test an observer.
        public init(isJoined: Bool, outcome: Outcome? = nil) {
            self.isJoined = isJoined
            self.outcome = outcome
        }
    }

    /// A part of a stream: a server-sent event or a comment.
    public struct StreamPart: Hashable, Sendable {
        /// The type of a server-sent event; `nil` for a comment.
        public var type: String?
        /// The number of UTF-8 bytes of the event's data or the comment.
        public var byteCount: Int

        /// Creates a part, for example to test an observer.
        public init(type: String? = nil, byteCount: Int) {
            self.type = type
            self.byteCount = byteCount
        }
    }

    /// A reconnecting event stream.
    public struct Reconnection: Hashable, Sendable {
        /// The number of reconnections since the last event.
        public var number: Int
        /// The delay before the stream reconnects.
        public var delay: Duration
        /// The message of the error that ended the connection.
        public var reason: String?

        /// Creates a reconnection, for example to test an observer.
        public init(number: Int, delay: Duration, reason: String? = nil) {
            self.number = number
            self.delay = delay
            self.reason = reason
        }
    }

    /// A response that was decoded, or failed to decode.
    public struct Decoding: Sendable {
        /// The name of the type.
        public var typeName: String
        /// The time spent decoding.
        public var duration: Duration
        /// The error; `nil` if the value was decoded.
        public var error: NetworkError?

        /// Creates a decoding, for example to test an observer.
        public init(typeName: String, duration: Duration, error: NetworkError? = nil) {
            self.typeName = typeName
            self.duration = duration
            self.error = error
        }
    }

    /// The end of a call.
    public struct CallEnd: Sendable {
        /// The response, or an error if the call failed, including in decoding.
        public var result: Result<HTTPResponse, NetworkError>
        /// The number of attempts started.
        public var attempts: Int
        /// The time from the start of the call to its end, including attempts, delays and decoding.
        public var duration: Duration

        /// Creates the end of a call, for example to test an observer.
        public init(result: Result<HTTPResponse, NetworkError>, attempts: Int, duration: Duration) {
            self.result = result
            self.attempts = attempts
            self.duration = duration
        }
    }
}
