public import Foundation
public import NetworkEngine

/// A client's cookies according to RFC 6265bis: parsing, domains, paths, lifetimes, prefixes and limits.
///
/// ```swift
/// configuration.cookies = CookieJar()
/// configuration.cookies = try CookieJar(file: folder.appendingPathComponent("cookies.json"))
/// ```
/// Each exchange sends the cookies for its URL and stores the cookies in its response. This includes every hop of a
/// redirect: a redirect response can set a cookie for the next hop. A cookie in a `Cookie` header that a target, an
/// endpoint or an interceptor sets replaces the jar's cookies with the same name.
///
/// A request has no site, because it does not come from a web page. All cookies for its URL are sent, including
/// `SameSite=Strict` cookies. Once a redirect leads to another site, `Strict` cookies are not sent for the rest of the
/// chain, and `Lax` cookies and those without a rule are sent with safe methods only. Unlike in browsers, this includes
/// redirects back to the first site. A site is a scheme and a registered domain according to the public suffix list.
///
/// An `https` response with `Clear-Site-Data: "cookies"` removes the cookies of its registered domain.
///
/// A jar keeps 50 cookies for each domain and 3,000 in total. Any number of providers and clients can share it. Logs,
/// errors and recordings never show cookie values.
public final class CookieJar: ExchangeLayer {
    private struct State {
        var storage = CookieStorage()
        /// The number of changes to persistent cookies, in total and up to the last save.
        var changes = 0
        var savedChanges = 0
        /// How often all cookies were removed.
        var era = 0
    }

    private let state: Locked<State>
    /// The file, for one save at a time. This lock is acquired before the state's lock.
    private let file: Locked<CookieFile>?
    private let now: @Sendable () -> Date

    /// Creates an empty in-memory jar.
    public convenience init() { self.init(now: { Date() }) }

    init(now: @escaping @Sendable () -> Date) {
        state = Locked(State())
        file = nil
        self.now = now
    }

    /// Creates a jar with the cookies from a file, which also stores all cookies with an expiration date from then on.
    ///
    /// Only its user can read the file. The whole file is written whenever its cookies change. A file that is not a
    /// cookie file is renamed to `….corrupt`, and the jar is empty. Two jars must not use the same file.
    ///
    /// - Throws: the file system error if the file cannot be read or created.
    public convenience init(file: URL) throws { try self.init(file: file, now: { Date() }) }

    init(file url: URL, now: @escaping @Sendable () -> Date) throws {
        let file = CookieFile(url)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let saved = try file.load()
        // This reveals a file that cannot be written.
        if saved == nil { try file.save([]) }
        state = Locked(State(storage: CookieStorage(saved ?? [], now: now())))
        self.file = Locked(file)
        self.now = now
    }

    /// Returns the cookies that a GET request to a URL sends, in order.
    public func cookies(for url: URL) -> [Cookie] {
        let request = CookieRequest(CookieAddress(url), at: now())
        return state.withLock { $0.storage.cookies(for: request) }.map(\.cookie)
    }

    /// Stores a cookie as if the URL had set it.
    ///
    /// A cookie that the URL is not allowed to set is ignored, for example one for another domain, or a secure one if
    /// the URL is not `https`. An expired cookie removes the stored one with its name, domain and path.
    public func set(_ cookie: Cookie, for url: URL) {
        var cookie = cookie
        cookie.domain = cookie.domain.flatMap { domain in
            let name = domain.utf8.first == UInt8(ascii: ".") ? String(domain.dropFirst()) : domain
            return name.isEmpty ? nil : HostName.comparable(name)
        }
        // A semicolon would end the value when it is sent, and a server cannot set a path that contains one.
        let parts = [cookie.name, cookie.value, cookie.path ?? ""]
        guard !parts.contains(where: { $0.utf8.contains(UInt8(ascii: ";")) }),
            cookie.path?.utf8.allSatisfy(\.isLegalInCookie) != false, !cookie.name.utf8.contains(UInt8(ascii: "="))
        else { return }
        insert(from: CookieAddress(url)) { _, _ in [cookie] }
    }

    /// Stores the cookie in a `Set-Cookie` header. A cookie that the URL is not allowed to set is ignored.
    public func set(fromHeader value: String, for url: URL) { set(fromHeaders: [value], for: url) }

    /// Changes when all cookies are removed.
    var era: Int { state.withLock { $0.era } }

    /// Stores a response's cookies.
    ///
    /// - Parameter era: the era of its request; `nil` for any. If the era has changed, nothing is stored.
    func set(fromHeaders values: [String], for url: URL, in era: Int? = nil) {
        if values.isEmpty { return }
        insert(from: CookieAddress(url), in: era) { address, now in
            values.compactMap { Cookie(header: $0, defaultPath: address.folder, now: now) }
        }
    }

    /// Removes all cookies, including those in the file.
    ///
    /// Responses to requests that were sent earlier set no cookies, except for background transfers.
    public func removeAll() {
        state.withLock { state in
            state.storage.removeAll()
            state.era += 1
            state.changes += 1
        }
        try? save()
    }

    /// Removes the cookies of a URL's site: of all hosts below its registered domain, or of its host alone if it has no
    /// such domain.
    func removeAll(ofSiteOf url: URL) {
        let host = CookieAddress(url).host
        let hasChanged = state.withLock { state in
            let hasChanged = state.storage.removeAll(ofSiteOf: host)
            if hasChanged { state.changes += 1 }
            return hasChanged
        }
        if hasChanged { try? save() }
    }

    /// Writes changes to the file that could not be written earlier.
    ///
    /// - Throws: the file system error. The jar keeps the cookies and tries again with the next change.
    public func save() throws {
        try file?.withLock { file in
            let (changes, cookies) = state.withLock { state in
                (state.changes, state.changes == state.savedChanges ? nil : state.storage.persistent)
            }
            guard let cookies else { return }
            try file.save(cookies)
            state.withLock { $0.savedChanges = changes }
        }
    }

    /// The cookies for a request that is about to be sent.
    func use(for url: URL, isCrossSite: Bool, isSafe: Bool) -> [Cookie] {
        let request = CookieRequest(CookieAddress(url), isCrossSite: isCrossSite, isSafe: isSafe, at: now())
        return state.withLock { $0.storage.use(for: request) }.map(\.cookie)
    }

    private func insert(
        from address: CookieAddress, in era: Int? = nil, _ cookies: (CookieAddress, Date) -> [Cookie]
    ) {
        let now = now()
        let cookies = cookies(address, now)
        let hasChanged = state.withLock { state -> Bool in
            guard era == nil || era == state.era else { return false }
            var hasChanged = false
            for cookie in cookies where state.storage.insert(cookie, from: address, now: now) { hasChanged = true }
            if hasChanged { state.changes += 1 }
            return hasChanged
        }
        if hasChanged { try? save() }
    }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    /// The number of cookies.
    public var description: String { "CookieJar(\(state.withLock { $0.storage.count }) cookies)" }

    public var customMirror: Mirror { Mirror(self, children: ["cookies": description], displayStyle: .class) }
}
