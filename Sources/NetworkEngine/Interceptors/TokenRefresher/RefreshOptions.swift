public import Foundation
import NetworkEngineJSON

/// The times, limits and rules of a credential refresh.
///
/// ```swift
/// var options = RefreshOptions()
/// options.timeout = .seconds(10)
/// let refresher = TokenRefresher(store: store, options: options, refresh: refresh)
/// ```
public struct RefreshOptions: Sendable {
    /// How long before expiry a credential is refreshed in the background while it is still used.
    public var advisoryWindow: Duration = .seconds(300)
    /// How long before expiry requests wait for a new credential.
    public var mandatoryWindow: Duration = .seconds(30)
    /// How long calls wait for a refresh. A call with an earlier deadline stops waiting at the deadline.
    ///
    /// After this time the refresh is canceled. No other refresh starts until its closure has returned. Until then,
    /// later calls wait for the same refresh, again up to this time.
    public var timeout: Duration = .seconds(30)
    /// The maximum number of successful refreshes within `excessWindow`.
    public var excessLimit = 5
    /// The time window for `excessLimit`.
    ///
    /// Once the limit is reached, a call fails if its credential was rejected or is within the `mandatoryWindow`. A
    /// failed refresh does not count. The next one starts after a delay that grows up to ten seconds.
    public var excessWindow: Duration = .seconds(30)
    /// Whether calls that start during a refresh wait for it, instead of using the old credential.
    public var waitsForRefresh = true
    /// The origins that receive the credential; `nil` for the origin of each call's base URL.
    ///
    /// The base URL is the target's `baseURL`, unless the configuration replaces it.
    ///
    /// With `nil`, requests without a target are sent without a credential.
    public var allowedOrigins: [URL]?
    /// Whether a response rejects the credential.
    ///
    /// By default a 401 does, unless its `WWW-Authenticate` specifies an error other than `invalid_token`.
    public var isRejection: @Sendable (HTTPResponse) -> Bool = { BearerChallenge.isRejection($0) }
    /// Whether a refresh closure's error means that the credential can never be refreshed, so that the user must sign
    /// in.
    ///
    /// By default an `invalid_grant` of OAuth 2 does. A token endpoint that does not follow OAuth 2 requires a custom
    /// rule:
    ///
    /// ```swift
    /// options.isSessionOver = { ($0 as? NetworkError)?.statusCode == 401 }
    /// ```
    /// Not called for a credential that a `TokenRefresher` obtains itself.
    public var isSessionOver: @Sendable (any Error) -> Bool = { BearerChallenge.isSessionOver($0) }
    /// The clock for windows, timeouts and expiry.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Returns the time of day. Called once for each new credential, to compute its remaining lifetime.
    public var now: @Sendable () -> Date = { Date() }
    /// Returns a random number from 0 to 1, which spreads out the background refreshes of many processes.
    public var random: @Sendable () -> Double = { .random(in: 0...1) }

    /// The time after which a request counts as sent, although its response has not started.
    var departureLimit: Duration = .milliseconds(250)
    /// Whether the credential adds nothing to requests, so that every origin is allowed.
    var sendsNothing = false

    /// Creates options with their default values.
    public init() {}
}

/// Detects rejected credentials: RFC 6750 in responses, RFC 6749 at token endpoints.
enum BearerChallenge {
    /// Whether a response requires another credential.
    static func isRejection(_ response: HTTPResponse) -> Bool {
        guard response.statusCode == 401 else { return false }
        let challenge = response.headers.values(for: "WWW-Authenticate").joined(separator: ", ").lowercased()
        guard let error = parameter("error", in: challenge) else { return true }
        return error == "invalid_token"
    }

    /// Whether a failed refresh means that all later ones will fail, too.
    static func isSessionOver(_ error: any Error) -> Bool {
        guard let error = error as? NetworkError, error.kind == .status, let response = error.response,
            [400, 401].contains(response.statusCode)
        else { return false }
        return (try? JSONDecoder().decodeSafely(TokenError.self, from: response.data))?.error == "invalid_grant"
    }

    private struct TokenError: Decodable {
        let error: String
    }

    /// The value of the first parameter with a given name in any challenge (RFC 9110, 11.2).
    ///
    /// Blanks also separate parameters, because some servers leave out the commas.
    private static func parameter(_ name: String, in challenges: String) -> String? {
        var rest = Array(challenges.utf8)[...]
        while !rest.isEmpty {
            rest.removeBlanks()
            let word = rest.removeToken()
            rest.removeBlanks()
            if !word.isEmpty, rest.first == UInt8(ascii: "=") {
                rest.removeFirst()
                rest.removeBlanks()
                let value = rest.first == UInt8(ascii: "\"") ? rest.removeQuotedString().text : rest.removeToken()
                if word == name { return value }
            } else if rest.first == UInt8(ascii: "\"") {
                _ = rest.removeQuotedString()
            } else if word.isEmpty {
                rest = rest.dropFirst()
            }
        }
        return nil
    }
}
