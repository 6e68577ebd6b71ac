import Foundation
import NetworkEngine

/// The URLs that accept the answers to one challenge.
struct DigestSpace: Sendable {
    let origin: Origin
    /// The path and query that were challenged.
    private let target: String
    /// The path prefixes in this space.
    let paths: [String]
    var challenge: DigestChallenge
    let session: DigestSession

    /// A challenge's space, with the challenged URL and the URLs in its `domain`.
    ///
    /// URLs at other origins are omitted: each origin must send its own challenge.
    init(_ challenge: DigestChallenge, for request: HTTPRequest, clientNonce: String) {
        let origin = request.url.origin
        let domain = challenge.domain?.split(separator: " ").prefix(32).compactMap { item -> String? in
            guard let url = URL(string: String(item).escapedReference, relativeTo: request.url)?.absoluteURL,
                url.origin == origin
            else { return nil }
            return HTTPRequest(url: url).requestTarget
        }
        let target = request.requestTarget
        let paths = domain ?? []
        if paths.isEmpty {
            self.paths = ["/"]
        } else {
            self.paths = paths.contains(where: target.hasBytePrefix) ? paths : paths + [target]
        }
        self.origin = origin
        self.target = target
        self.challenge = challenge
        session = DigestSession(nonce: challenge.nonce, clientNonce: clientNonce)
    }

    /// Whether both have the same origin and realm.
    func isSame(as other: DigestSpace) -> Bool {
        origin == other.origin && challenge.realm == other.challenge.realm
    }

    /// Whether the request has the challenged URL.
    func isChallenge(to request: HTTPRequest) -> Bool {
        request.url.origin == origin && request.requestTarget == target
    }

    func contains(_ request: HTTPRequest) -> Bool { match(request.url.origin, request.requestTarget) != nil }

    /// The length of the longest matching path prefix; `nil` for a URL outside this space.
    fileprivate func match(_ origin: Origin, _ target: String) -> Int? {
        origin == self.origin ? paths.filter(target.hasBytePrefix).map(\.utf8.count).max() : nil
    }
}

/// The challenges with accepted answers, and the number of uses of each nonce.
struct DigestSpaces: Sendable {
    private struct NonceKey: Hashable {
        let origin: Origin
        let nonce: String
    }

    private let limit: Int
    private let nonceLimit: Int
    /// In order of storing.
    private var spaces: [DigestSpace] = []
    private var counts: [NonceKey: UInt32] = [:]
    private var nonces: [NonceKey] = []

    /// - Parameters:
    ///   - limit: the maximum number of spaces.
    ///   - nonceLimit: the maximum number of nonces to count uses for.
    init(limit: Int = 64, nonceLimit: Int = 1024) {
        self.limit = limit
        self.nonceLimit = nonceLimit
    }

    var count: Int { spaces.count }

    /// The most specific space for a request, or the newest of several.
    func space(for request: HTTPRequest) -> DigestSpace? {
        let (origin, target) = (request.url.origin, request.requestTarget)
        var best: (length: Int, space: DigestSpace)?
        for space in spaces {
            guard let length = space.match(origin, target), length >= best?.length ?? 0 else { continue }
            best = (length, space)
        }
        return best?.space
    }

    /// Counts a use of a nonce.
    ///
    /// - Returns: The number of uses including this one; `nil` after the maximum.
    mutating func use(_ nonce: String, at origin: Origin) -> UInt32? {
        let key = NonceKey(origin: origin, nonce: nonce)
        guard let count = counts[key] else {
            if nonces.count >= nonceLimit { counts[nonces.removeFirst()] = nil }
            nonces.append(key)
            counts[key] = 1
            return 1
        }
        guard count < .max else { return nil }
        counts[key] = count + 1
        return count + 1
    }

    /// Stores a space, replacing another one for the same realm.
    mutating func store(_ space: DigestSpace) {
        spaces.removeAll { $0.isSame(as: space) }
        if spaces.count >= limit { spaces.removeFirst() }
        spaces.append(space)
    }

    /// Removes the space with a nonce that the server no longer accepts.
    mutating func remove(_ space: DigestSpace) {
        spaces.removeAll { $0.origin == space.origin && $0.challenge.nonce == space.challenge.nonce }
    }
}

extension String {
    /// Whether the text's bytes start with another text's bytes.
    fileprivate func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
}
