public import Foundation

/// When and how a credential is renewed.
///
/// ```swift
/// var options = RefreshOptions()
/// options.timeout = .seconds(10)
/// let refresher = TokenRefresher(store: store, options: options, refresh: renew)
/// ```
public struct RefreshOptions: Sendable {
    /// This long before it expires a credential is renewed in the background, and used meanwhile.
    public var advisoryWindow: Duration = .seconds(300)
    /// This long before it expires everybody waits for a new one.
    public var mandatoryWindow: Duration = .seconds(30)
    /// The time that calls wait for one renewal. They may give up earlier.
    ///
    /// When it is up, the renewal is cancelled. No other begins before its closure has returned. Until then, later calls wait
    /// for the same renewal, again for this time.
    public var timeout: Duration = .seconds(30)
    /// How many renewals there may be within `excessWindow`.
    public var excessLimit = 5
    public var excessWindow: Duration = .seconds(30)
    /// Whether calls that start during a renewal wait for it, instead of going with the credential that is being renewed.
    public var waitsForRenewal = true
    /// The origins that get the credential; `nil` for the origin of each target's `baseURL`.
    ///
    /// Without this, requests that no target describes are sent without a credential.
    public var allowedOrigins: [URL]?
    /// Whether a response says that the credential is not valid any more.
    ///
    /// The default is a 401, unless its `WWW-Authenticate` names another error than `invalid_token`.
    public var isRejection: @Sendable (HTTPResponse) -> Bool = { BearerChallenge.isRejection($0) }
    /// Whether what a refresh closure threw says that the credential will never be renewed.
    ///
    /// The default is an `invalid_grant` of OAuth 2, and a 401 that says nothing.
    public var isSessionOver: @Sendable (any Error) -> Bool = { BearerChallenge.isSessionOver($0) }
    /// What windows, timeouts and expiry are measured by.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The time of day; looked at once when a credential comes, to know how long it lasts.
    public var now: @Sendable () -> Date = { Date() }
    /// From 0 to 1; spreads background renewals of many processes.
    public var random: @Sendable () -> Double = { .random(in: 0...1) }

    /// Whether the credential is only a mark that is put into no request, and may go with every one.
    package var sendsNothing = false

    public init() {}
}
