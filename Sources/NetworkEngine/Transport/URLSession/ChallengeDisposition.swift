import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSession.AuthChallengeDisposition {
    /// Returns a 401 as a response. On Linux default handling never ends the exchange.
    static var withoutCredential: Self { .cancelAuthenticationChallenge }
}
#else
extension URLSession.AuthChallengeDisposition {
    /// Returns a 401 as a response, and leaves certificates to the system.
    static var withoutCredential: Self { .performDefaultHandling }
}
#endif
