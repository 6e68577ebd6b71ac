import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a session says about one task, on its serial queue unless said otherwise.
protocol TaskEvents: AnyObject, Sendable {
    func responded(_ response: URLResponse)
    func received(_ data: Data)
    func sent(_ count: Int64)
    /// Answers `nil` at once, or not at all.
    func redirected(answer: (URLRequest?) -> Void)
    /// The server wants a user and gets none.
    func challenged()
    /// Whether the request has left the origin of its call.
    var isForeign: Bool { get }
    /// The server's certificate was not accepted.
    func refused(_ problem: TransportFailure.CertificateProblem)
    /// - Parameter response: the last one that the task has seen, told of before or not.
    func completed(_ error: (any Error)?, response: URLResponse?)
    /// A new reading of the request's body from its start. On the network queue of the whole process: no waiting here.
    func newBodyStream() -> InputStream?
    func shutDown()
}
