import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSession.AuthChallengeDisposition {
    /// Lets a 401 come through as a response. On Linux default handling never ends the exchange (`linux.md` L2).
    static var withoutCredential: Self { .cancelAuthenticationChallenge }
}
#else
extension URLSession.AuthChallengeDisposition {
    /// Lets a 401 come through as a response, and the system judge certificates.
    static var withoutCredential: Self { .performDefaultHandling }
}
#endif
