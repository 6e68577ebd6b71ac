import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The events of one task of a session, on its serial queue unless documented otherwise.
protocol TaskEvents: AnyObject, Sendable {
    func responded(_ response: URLResponse)
    func received(_ data: Data)
    func sent(_ count: Int64)
    /// Answers `nil` at once, or not at all.
    func redirected(answer: (URLRequest?) -> Void)
    /// The server requested a credential and gets none.
    func challenged()
    /// Whether the request has left the origin of its call.
    var isForeign: Bool { get }
    /// The server's certificate was not accepted.
    func refused(_ problem: TransportFailure.CertificateProblem)
    /// The measurements of the task, before its end. Not called on Linux.
    func measured(_ metrics: URLSessionTaskMetrics)
    /// - Parameter response: the last response of the task, reported before or not.
    func completed(_ error: (any Error)?, response: URLResponse?)
    /// Starts to read the request's body from its beginning. Called on the network queue of the whole process: it must
    /// not wait.
    func newBodyStream() -> InputStream?
    func shutDown()
}
