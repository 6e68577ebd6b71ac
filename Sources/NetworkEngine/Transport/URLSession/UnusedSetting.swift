#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// A session setting that a transport does not use.
struct UnusedSetting: Hashable, Sendable, CustomStringConvertible {
    let name: String
    /// What applies instead, or what to use instead.
    let instead: String
    /// Whether the setting differs from a new configuration's.
    let isChosen: Bool

    /// Whether a client can adopt the setting, although a transport cannot.
    var isTimeout: Bool { name.hasPrefix("timeoutInterval") }

    var description: String { "\(name): \(instead)" }

    /// A setting that is reported only if it was changed.
    static func chosen(_ name: String, _ isChosen: Bool, _ instead: String) -> UnusedSetting? {
        isChosen ? UnusedSetting(name: name, instead: instead, isChosen: true) : nil
    }
}

extension URLSessionConfiguration {
    /// The settings that have no effect in a transport.
    ///
    /// All others are used: `httpAdditionalHeaders`, `httpMaximumConnectionsPerHost`, `protocolClasses`, and the
    /// network settings on Apple platforms.
    var unusedSettings: [UnusedSetting] {
        let storages = [cookieSetting, policySetting, cacheSetting, credentialSetting]
        return storages.compactMap { $0 } + timeSettings + platformSettings
    }

    /// A new configuration has a cookie storage. A storage that contains cookies, other than the shared one, was set by
    /// the app.
    private var cookieSetting: UnusedSetting? {
        guard let storage = httpCookieStorage, httpCookieAcceptPolicy != .never || httpShouldSetCookies else {
            return nil
        }
        let isFilled = storage !== HTTPCookieStorage.shared && storage.cookies?.isEmpty == false
        return UnusedSetting(
            name: "httpCookieStorage",
            instead: "the session neither sends nor stores cookies",
            isChosen: isFilled || httpCookieAcceptPolicy == .always
        )
    }

    private var policySetting: UnusedSetting? {
        .chosen(
            "requestCachePolicy",
            requestCachePolicy == .returnCacheDataElseLoad || requestCachePolicy == .returnCacheDataDontLoad,
            "every request goes to the server"
        )
    }

    /// A new configuration has a cache: the shared one, or one with a certain memory size.
    private var cacheSetting: UnusedSetting? {
        guard let cache = urlCache else { return nil }
        let standard = URLSessionConfiguration.ephemeral.urlCache
        let isInMemory = cache.diskCapacity == 0 && [0, standard?.memoryCapacity].contains(cache.memoryCapacity)
        return UnusedSetting(
            name: "urlCache",
            instead: "the session caches nothing",
            isChosen: cache !== URLCache.shared && !isInMemory
        )
    }

    private var credentialSetting: UnusedSetting? {
        guard let storage = urlCredentialStorage else { return nil }
        let isFilled = storage !== URLCredentialStorage.shared && !storage.allCredentials.isEmpty
        return UnusedSetting(
            name: "urlCredentialStorage",
            instead: "an interceptor, such as TokenSource, adds credentials",
            isChosen: isFilled
        )
    }

    private var timeSettings: [UnusedSetting] {
        [
            .chosen("timeoutIntervalForRequest", chosenTimeout != nil, "set NetworkConfiguration.timeout"),
            .chosen("timeoutIntervalForResource", chosenDeadline != nil, "set NetworkConfiguration.deadline"),
        ].compactMap { $0 }
    }

    /// The limit for the time without any bytes, if it differs from a new configuration's.
    fileprivate var chosenTimeout: TimeInterval? {
        let isStandard = timeoutIntervalForRequest == URLSessionConfiguration.ephemeral.timeoutIntervalForRequest
        return isStandard ? nil : timeoutIntervalForRequest
    }

    /// The limit for a whole task, if it differs from a new configuration's.
    fileprivate var chosenDeadline: TimeInterval? {
        let isStandard = timeoutIntervalForResource == URLSessionConfiguration.ephemeral.timeoutIntervalForResource
        return isStandard ? nil : timeoutIntervalForResource
    }
}

extension URLSession {
    /// The session's limit for the time without any bytes, if it differs from a new session's.
    var chosenTimeout: Duration? { configuration.chosenTimeout.map { Duration(timeout: $0) } }

    /// The session's limit for a whole task, if it differs from a new session's.
    var chosenDeadline: Duration? { configuration.chosenDeadline.map { Duration(timeout: $0) } }

    /// The settings of the session and its configuration that have no effect in a transport with this observer.
    func unusedSettings(observer: (any URLSessionTaskDelegate)?) -> [UnusedSetting] {
        let isObserved = delegate == nil || delegate === observer
        let delegate = UnusedSetting.chosen(
            "delegate", !isObserved, "it gets no callbacks; an `observer` of the transport gets copies of them")
        return configuration.unusedSettings + [delegate].compactMap { $0 }
    }
}

extension Duration {
    /// A system timeout, which can be infinite.
    fileprivate init(timeout: TimeInterval) {
        self = .seconds(timeout.isNaN ? URLSession.longestTimeout : min(max(timeout, 0), URLSession.longestTimeout))
    }
}
