public import Foundation

/// A place for stored responses.
///
/// A store keeps what it is given, and knows nothing about freshness. It may forget any response at any time. An error
/// and damaged data count as nothing stored.
public protocol CacheStore: Sendable {
    /// The stored responses for an address, one for each variant, and marks them as used.
    func entries(for key: CacheKey) async -> [CacheEntry]

    /// Begins to store a response. Nothing is visible until the writer commits.
    func writer(for key: CacheKey) async -> any CacheWriter

    /// Replaces the head of a stored response and keeps its body. Changes nothing if the body is no longer stored.
    func update(_ entry: CacheEntry) async

    /// Removes all variants of a response.
    func remove(_ key: CacheKey) async

    /// Removes all responses of an origin, which is part of their keys.
    func removeAll(from origin: String) async

    /// Removes all responses.
    func removeAll() async

    /// Whether the bodies of downloads to files are stored; `true` by default. A store in memory returns `false`.
    var acceptsDownloads: Bool { get }
}

extension CacheStore {
    public var acceptsDownloads: Bool { true }
}

/// A store that tells in advance which bodies are too long for it.
protocol LimitedCacheStore: CacheStore {
    /// The number of bytes in the longest body that can be stored.
    var bodyLimit: Int64 { get }
    /// The number of bytes that a body may have if its length is not known before its end.
    var unmeasuredBodyLimit: Int64 { get }
}

extension CacheStore {
    /// The number of bytes in the longest body that can be stored, as far as it is known.
    var bodyLimit: Int64 { (self as? any LimitedCacheStore)?.bodyLimit ?? .max }

    /// The number of bytes that a body of unknown length may have, as far as it is known.
    var unmeasuredBodyLimit: Int64 { (self as? any LimitedCacheStore)?.unmeasuredBodyLimit ?? .max }
}

/// Receives the body of a response in pieces, while the caller reads them too.
///
/// A writer that is released without a commit stores nothing.
public protocol CacheWriter: Sendable {
    /// Appends a piece. Returns `false` if the body is too long for the store; the writer then stores nothing.
    func write(_ piece: Data) async -> Bool

    /// Stores the response, which replaces the one with the same variant. Returns whether it is stored.
    ///
    /// The body must be complete. The store sets the length of the body in the head.
    @discardableResult
    func commit(_ response: StoredResponse) async -> Bool
}

/// A stored response with its body.
public struct CacheEntry: Sendable {
    /// The address under which the response is stored.
    public let key: CacheKey
    /// The head of the response.
    public var response: StoredResponse
    /// The body of the response.
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
