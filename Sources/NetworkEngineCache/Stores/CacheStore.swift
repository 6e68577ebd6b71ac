public import Foundation

/// Storage for responses.
///
/// A store keeps what it receives, without regard to freshness. It can discard any response at any time. Errors and
/// damaged data count as nothing stored.
public protocol CacheStore: Sendable {
    /// Returns the stored responses for a key, one for each variant, and marks them as used.
    func entries(for key: CacheKey) async -> [CacheEntry]

    /// Starts storing a response. Nothing is visible until the writer commits.
    func writer(for key: CacheKey) async -> any CacheWriter

    /// Replaces the head of a stored response and keeps its body. Changes nothing if the body is no longer stored.
    func update(_ entry: CacheEntry) async

    /// Removes all variants of a response.
    func remove(_ key: CacheKey) async

    /// Removes all responses from an origin, which is part of their keys.
    func removeAll(from origin: String) async

    /// Removes all responses.
    func removeAll() async

    /// Whether the bodies of downloads to files are stored; `true` by default. A store in memory returns `false`.
    var acceptsDownloads: Bool { get }
}

extension CacheStore {
    public var acceptsDownloads: Bool { true }
}

/// A store that reports in advance which bodies are too long for it.
protocol LimitedCacheStore: CacheStore {
    /// The number of bytes in the longest body that can be stored.
    var bodyLimit: Int64 { get }
    /// The maximum number of bytes in a body of unknown length.
    var unmeasuredBodyLimit: Int64 { get }
}

extension CacheStore {
    /// The number of bytes in the longest body that can be stored; `Int64.max` if the store does not report it.
    var bodyLimit: Int64 { (self as? any LimitedCacheStore)?.bodyLimit ?? .max }

    /// The maximum number of bytes in a body of unknown length; `Int64.max` if the store does not report it.
    var unmeasuredBodyLimit: Int64 { (self as? any LimitedCacheStore)?.unmeasuredBodyLimit ?? .max }
}

/// Receives a response body in pieces, while the caller also reads them.
///
/// A writer that is released without a commit stores nothing.
public protocol CacheWriter: Sendable {
    /// Appends a piece. Returns `false` if the body is too long for the store; the writer then stores nothing.
    func write(_ piece: Data) async -> Bool

    /// Stores the response, replacing the one with the same variant. Returns whether it is stored.
    ///
    /// The body must be complete. The store sets the body length in the head.
    @discardableResult
    func commit(_ response: StoredResponse) async -> Bool
}

/// A stored response with its body.
public struct CacheEntry: Sendable {
    /// The key under which the response is stored.
    public let key: CacheKey
    /// The response head.
    public var response: StoredResponse
    /// The response body.
    public let body: CacheBody
    /// Identifies the stored body to its store.
    public let token: String

    /// Creates an entry, which a store returns.
    public init(key: CacheKey, response: StoredResponse, body: CacheBody, token: String) {
        self.key = key
        self.response = response
        self.body = body
        self.token = token
    }
}
