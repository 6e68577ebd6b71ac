#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// The answer to a session's challenge for server trust or client identity.
package struct ChallengeAnswer {
    package var disposition: URLSession.AuthChallengeDisposition
    package var credential: URLCredential?
    /// The reason why the server's certificate is not accepted.
    package var refusal: TransportFailure.CertificateProblem?
    /// Whether a server requested a credential and received none. Its response is then an ordinary response.
    var leavesResponse = false

    /// The server requested a credential.
    static var withoutCredential: Self { Self(disposition: .withoutCredential, leavesResponse: true) }
    /// Leaves the decision to the system.
    static var asTheSystemDoes: Self { Self(disposition: .performDefaultHandling) }

    static func using(_ credential: URLCredential) -> Self {
        Self(disposition: .useCredential, credential: credential)
    }

    static func refusing(_ problem: TransportFailure.CertificateProblem) -> Self {
        Self(disposition: .cancelAuthenticationChallenge, refusal: problem)
    }
}

extension URLSession.AuthChallengeDisposition {
    #if canImport(FoundationNetworking)
    /// Returns a 401 as a response. On Linux default handling never ends the exchange.
    fileprivate static var withoutCredential: Self { .cancelAuthenticationChallenge }
    #else
    /// Returns a 401 as a response, and leaves certificates to the system.
    fileprivate static var withoutCredential: Self { .performDefaultHandling }
    #endif
}
