import NetworkEngine

/// The way to answer a request: from a stored response, after its validation, or by the server.
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

/// The use of a stored response.
struct CacheUse: Hashable, Sendable {
    enum Answer: Hashable, Sendable {
        /// The stored response as it is.
        case whole
        /// Bytes of the representation, with the status 206.
        case part(Range<Int64>)
        /// The status 304: the caller's own condition matches.
        case notModified
    }

    /// The index of the stored response in the list that the decision was made for.
    let index: Int
    let answer: Answer
    let isStale: Bool
    /// Whether the response is validated after it was used (`stale-while-revalidate`).
    let revalidatesInBackground: Bool

    init(index: Int, answer: Answer = .whole, isStale: Bool = false, revalidatesInBackground: Bool = false) {
        self.index = index
        self.answer = answer
        self.isStale = isStale
        self.revalidatesInBackground = revalidatesInBackground
    }
}

/// The reason to send a request to the server.
enum FetchReason: String, Hashable, Sendable {
    /// The policy of the call excludes stored responses.
    case bypass
    /// The method has no stored responses.
    case method
    /// Nothing is stored for the address.
    case address = "uri-miss"
    /// Only responses to other values of the fields in `Vary` are stored.
    case variant = "vary-miss"
    /// The request excludes the stored response.
    case request
    /// The stored response is stale, and has no validator.
    case stale
    /// Only other bytes of the representation are stored.
    case partial
}
