public import Foundation
public import NetworkEngine

/// The cookies that a client keeps, by RFC 6265bis: parsing, domains, paths, lifetimes, prefixes and limits.
///
/// ```swift
/// configuration.cookies = CookieJar()
/// configuration.cookies = try CookieJar(file: folder.appendingPathComponent("cookies.json"))
/// ```
/// Each exchange sends the cookies for its address and stores those of its response. This includes every hop of a
/// redirect: the response of a hop can set a cookie for the next one. A cookie in a `Cookie` header that a target, an
/// endpoint or an interceptor sets replaces the jar's cookies of the same name.
///
/// A request has no site, because no page makes it. All cookies of its address are sent, including those that are
/// `SameSite=Strict`. Once redirects lead from one site to another, `Strict` cookies are not sent for the rest of the
/// chain, and `Lax` cookies and those without a rule are sent with safe methods only. Unlike in browsers, this includes
/// the way back to the first site. A site is a scheme and a registered domain by the public suffix list.
///
/// A response over `https` with `Clear-Site-Data: "cookies"` removes the cookies of its registered domain.
///
/// A jar keeps 50 cookies of each domain and 3,000 in all. Any number of providers and clients can share it. Logs,
/// errors and recordings do not show the values of cookies.
public final class CookieJar: ExchangeLayer {
    private struct State {
        var storage = CookieStorage()
        /// The number of changes to cookies that a file keeps, in all and up to the last save.
        var changes = 0
        var savedChanges = 0
        /// The number of removals of all cookies.
        var era = 0
    }

    private let state: Locked<State>
    /// The file, for one save at a time. This lock is taken before the lock of the state.
    private let file: Locked<CookieFile>?
    private let now: @Sendable () -> Date

    /// Creates an empty jar in memory.
    public convenience init() { self.init(now: { Date() }) }

    init(now: @escaping @Sendable () -> Date) {
        state = Locked(State())
        file = nil
        self.now = now
    }

    /// Creates a jar with the cookies of a file, which then keeps all cookies with a date of expiry.
    ///
    /// Only its user can read the file. It is written as a whole whenever its cookies change. A file that is not one of
    /// a jar is renamed to `….corrupt`, and the jar is empty. Two jars must not have the same file.
    ///
    /// - Throws: the error of the file system if the file cannot be read or created.
    public convenience init(file: URL) throws { try self.init(file: file, now: { Date() }) }

    init(file url: URL, now: @escaping @Sendable () -> Date) throws {
        let file = CookieFile(url)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let saved = try file.load()
        // A file that cannot be written is noticed here.
        if saved == nil { try file.save([]) }
        state = Locked(State(storage: CookieStorage(saved ?? [], now: now())))
        self.file = Locked(file)
        self.now = now
    }

    /// Returns the cookies that a GET of an address sends, in their order.
    public func cookies(for url: URL) -> [Cookie] {
        let request = CookieRequest(CookieAddress(url), at: now())
        return state.withLock { $0.storage.cookies(for: request) }.map(\.cookie)
    }

    /// Stores a cookie as if the address had set it.
    ///
    /// A cookie that the address may not set is ignored, for example one for another domain, or a secure one if the
    /// address is not `https`. An expired cookie removes the stored one with its name, domain and path.
    public func set(_ cookie: Cookie, for url: URL) {
        var cookie = cookie
        cookie.domain = cookie.domain.flatMap { domain in
            let name = domain.utf8.first == UInt8(ascii: ".") ? String(domain.dropFirst()) : domain
            return name.isEmpty ? nil : HostName.comparable(name)
        }
        // A semicolon would end the value when it is sent, and a path with one was never set by a server.
        let parts = [cookie.name, cookie.value, cookie.path ?? ""]
        guard !parts.contains(where: { $0.utf8.contains(UInt8(ascii: ";")) }),
            cookie.path?.utf8.allSatisfy(\.isLegalInCookie) != false, !cookie.name.utf8.contains(UInt8(ascii: "="))
        else { return }
        insert(from: CookieAddress(url)) { _, _ in [cookie] }
    }

    /// Stores the cookie of a `Set-Cookie` header. A cookie that the address may not set is ignored.
    public func set(fromHeader value: String, for url: URL) { set(fromHeaders: [value], for: url) }

    /// Changes when all cookies are removed.
    var era: Int { state.withLock { $0.era } }

    /// Stores the cookies of a response.
    ///
    /// - Parameter era: the era of its request, unless any is right. In a later era nothing is stored.
    func set(fromHeaders values: [String], for url: URL, in era: Int? = nil) {
        if values.isEmpty { return }
        insert(from: CookieAddress(url), in: era) { address, now in
            values.compactMap { Cookie(header: $0, defaultPath: address.folder, now: now) }
        }
    }

    /// Removes all cookies, also from the file.
    ///
    /// The response to a request that was sent before sets no cookies, unless it is one of a transfer in the
    /// background.
    public func removeAll() {
        state.withLock { state in
            state.storage.removeAll()
            state.era += 1
            state.changes += 1
        }
        try? save()
    }

    /// Removes the cookies of the site of an address: of all hosts below its registered domain, or of its host alone if
    /// it has no such domain.
    func removeAll(ofSiteOf url: URL) {
        let host = CookieAddress(url).host
        let hasChanged = state.withLock { state in
            let hasChanged = state.storage.removeAll(ofSiteOf: host)
            if hasChanged { state.changes += 1 }
            return hasChanged
        }
        if hasChanged { try? save() }
    }

    /// Writes changes to the file that could not be written when they were made.
    ///
    /// - Throws: the error of the file system. The jar keeps the cookies and tries again with the next change.
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

    /// The cookies of a request that is sent now.
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
