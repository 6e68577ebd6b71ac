import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSession {
    /// `http://[::1]/` is a bad URL (`linux.md` 4).
    static var refusesIPv6Literals: Bool { true }

    /// The codings that requests ask for.
    ///
    /// The platform would add Brotli and zstd, but takes a truncated body in them for a complete one.
    static var offeredCodings: String? { "gzip, deflate" }

    static func checks(coding: String) -> Bool { ["gzip", "x-gzip", "deflate"].contains(coding) }
}

extension URLSessionConfiguration {
    /// What is asked of a session and would be ignored here.
    var unsupportedWish: String? {
        guard connectionProxyDictionary?.isEmpty == false else { return nil }
        return "URLSession on Linux ignores connectionProxyDictionary; use CurlTransport"
    }

    func neutraliseWhatOnlyAppleHas() {}
}
#else
extension URLSession {
    static var refusesIPv6Literals: Bool { false }
    static var offeredCodings: String? { nil }

    static func checks(coding: String) -> Bool { true }
}

extension URLSessionConfiguration {
    /// What is asked of a session and would not work with one that the app itself drives.
    var unsupportedWish: String? {
        identifier == nil
            ? nil : "a background configuration cannot be used: its tasks outlive the app that awaits them"
    }

    func neutraliseWhatOnlyAppleHas() {
        // Waiting for a network is the engine's decision, under its deadline.
        waitsForConnectivity = false
    }
}
#endif
