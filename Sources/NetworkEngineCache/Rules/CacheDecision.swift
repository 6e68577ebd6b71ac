import NetworkEngine

/// How to answer a request: from a stored response, after validating it, or from the server.
enum CacheDecision: Hashable, Sendable {
    /// A stored response is the answer.
    case use(CacheUse)
    /// A stored response is the answer if the server confirms it. The fields are added to the request.
    case revalidate(Int, conditions: HTTPHeaders)
    /// A stored response is the beginning of the answer. The fields request the rest.
    case complete(Int, conditions: HTTPHeaders)
    /// The server answers.
    case fetch(FetchReason)
    /// The request accepts only a stored response, and none can be used: the answer has the status 504.
    case gatewayTimeout
}

/// How a stored response is used.
struct CacheUse: Hashable, Sendable {
    enum Answer: Hashable, Sendable {
        /// The stored response, unchanged.
        case whole
        /// Bytes of the representation, with status 206.
        case part(Range<Int64>)
        /// Status 304: the caller's own condition matches.
        case notModified
    }

    /// The index of the stored response in the list passed to the decision.
    let index: Int
    let answer: Answer
    let isStale: Bool
    /// Whether to validate the response after its use (`stale-while-revalidate`).
    let revalidatesInBackground: Bool

    init(index: Int, answer: Answer = .whole, isStale: Bool = false, revalidatesInBackground: Bool = false) {
        self.index = index
        self.answer = answer
        self.isStale = isStale
        self.revalidatesInBackground = revalidatesInBackground
    }
}

/// Why a request is sent to the server.
enum FetchReason: String, Hashable, Sendable {
    /// The call's policy excludes stored responses.
    case bypass
    /// Responses to this method are not stored.
    case method
    /// Nothing is stored for the URL.
    case address = "uri-miss"
    /// Only responses for other values of the `Vary` fields are stored.
    case variant = "vary-miss"
    /// The request excludes the stored response.
    case request
    /// The stored response is stale, and has no validator.
    case stale
    /// Only other bytes of the representation are stored.
    case partial
}
