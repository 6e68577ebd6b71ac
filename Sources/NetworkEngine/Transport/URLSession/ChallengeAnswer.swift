import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What is said to a session that asks whom to trust or who we are.
struct ChallengeAnswer {
    var disposition: URLSession.AuthChallengeDisposition
    var credential: URLCredential?
    /// Why the server's certificate is not accepted.
    var refusal: TransportFailure.CertificateProblem?
    /// Whether a server asked for a user and got none: its answer is a response like any other.
    var leavesResponse = false

    /// A server asked for a user.
    static var withoutCredential: Self { Self(disposition: .withoutCredential, leavesResponse: true) }
    /// The system judges.
    static var asTheSystemDoes: Self { Self(disposition: .performDefaultHandling) }

    static func using(_ credential: URLCredential) -> Self {
        Self(disposition: .useCredential, credential: credential)
    }

    static func refusing(_ problem: TransportFailure.CertificateProblem) -> Self {
        Self(disposition: .cancelAuthenticationChallenge, refusal: problem)
    }
}
