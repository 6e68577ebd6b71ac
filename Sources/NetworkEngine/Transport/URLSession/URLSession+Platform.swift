import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSession {
    /// URLSession on Linux rejects `http://[::1]/` as a bad URL.
    static var refusesIPv6Literals: Bool { true }

    /// The content codings that requests ask for.
    ///
    /// The platform would add Brotli and zstd, but accepts a truncated body in them as complete.
    static var offeredCodings: String? { "gzip, deflate" }

    static func checks(coding: String) -> Bool { ["gzip", "x-gzip", "deflate"].contains(coding) }
}

extension URLSessionConfiguration {
    /// The option of the session that would be ignored on this platform.
    var unsupportedOption: String? {
        guard connectionProxyDictionary?.isEmpty == false else { return nil }
        return "URLSession on Linux ignores connectionProxyDictionary; use CurlTransport"
    }

    func sanitizePlatformOptions() {}
}
#else
extension URLSession {
    static var refusesIPv6Literals: Bool { false }
    static var offeredCodings: String? { nil }

    static func checks(coding: String) -> Bool { true }
}

extension URLSessionConfiguration {
    /// The option of the session that does not work if the app manages the session itself.
    var unsupportedOption: String? {
        identifier == nil
            ? nil : "a background configuration cannot be used: its tasks outlive the app that awaits them"
    }

    func sanitizePlatformOptions() {
        // Waiting for a network is the engine's decision, under its deadline.
        waitsForConnectivity = false
    }
}
#endif
