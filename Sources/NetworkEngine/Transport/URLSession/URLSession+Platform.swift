import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSession {
    /// URLSession on Linux rejects `http://[::1]/` as a bad URL.
    static var refusesIPv6Literals: Bool { true }

    /// The content codings that requests accept.
    ///
    /// The platform would add Brotli and zstd, but accepts a truncated body in them as complete.
    static var offeredCodings: String? { "gzip, deflate" }

    static func checks(coding: String) -> Bool { ["gzip", "x-gzip", "deflate"].contains(coding) }

    /// Whether the platform reports some heads only after the first 512 bytes of the body.
    static var holdsHeadsBack: Bool { false }

    /// Whether the platform resends a request on the same connection after the server has rejected its expectation.
    static var repeatsRefusedExpectations: Bool { true }
}

extension URLSessionOptions {
    static var speaksHTTP3: Bool { false }
}

extension URLRequest {
    mutating func assumeHTTP3() {}
}

extension URLSessionConfiguration {
    /// The session option that would be ignored on this platform.
    var unsupportedOption: String? {
        guard connectionProxyDictionary?.isEmpty == false else { return nil }
        return "URLSession on Linux ignores connectionProxyDictionary; use CurlTransport"
    }

    func sanitizePlatformOptions() {}

    /// The options that exist here but have no effect.
    var platformSettings: [UnusedSetting] {
        let none = "it has no effect on Linux"
        return [
            .chosen("identifier", identifier != nil, "there are no background sessions on Linux"),
            .chosen("allowsCellularAccess", !allowsCellularAccess, none),
            .chosen("networkServiceType", networkServiceType != .default, none),
            .chosen("isDiscretionary", isDiscretionary, none),
        ].compactMap { $0 }
    }
}

extension URLSession {
    /// Whether the delegate may reject certificates that the system accepts. On Linux the session never calls it.
    var delegateAnswersChallenges: Bool { false }
}
#else
extension URLSession {
    static var refusesIPv6Literals: Bool { false }
    static var offeredCodings: String? { nil }

    static func checks(coding: String) -> Bool { true }

    /// The platform sniffs the content type of some responses from their first bytes, and only then reports the head:
    /// https://github.com/lionheart/openradar-mirror/issues/17332
    static var holdsHeadsBack: Bool { true }

    static var repeatsRefusedExpectations: Bool { false }
}

extension URLSessionOptions {
    static var speaksHTTP3: Bool { true }
}

extension URLRequest {
    mutating func assumeHTTP3() { assumesHTTP3Capable = true }
}

extension URLSessionConfiguration {
    /// The session option that does not work if the app manages the session itself.
    var unsupportedOption: String? {
        identifier == nil
            ? nil : "a background configuration cannot be used: its tasks outlive the app that awaits them"
    }

    func sanitizePlatformOptions() {
        // The engine decides whether to wait for a network, within its deadline.
        waitsForConnectivity = false
    }

    /// The options of Apple platforms that the engine replaces.
    var platformSettings: [UnusedSetting] {
        [.chosen("waitsForConnectivity", waitsForConnectivity, "use OfflinePolicy(.waitForConnection())")]
            .compactMap { $0 }
    }
}

extension URLSession {
    /// Whether the delegate may reject certificates that the system accepts.
    var delegateAnswersChallenges: Bool {
        ["URLSession:didReceiveChallenge:completionHandler:", "URLSession:task:didReceiveChallenge:completionHandler:"]
            .contains { delegate?.responds(to: NSSelectorFromString($0)) == true }
    }
}
#endif
