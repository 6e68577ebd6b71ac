/// A request in progress that can be canceled.
///
/// The framework's handles conform. Conform mocks to it, too.
public protocol NetworkRequest: AnyObject, Sendable {
    /// Whether the request was canceled before it had another result.
    var isCancelled: Bool { get }

    /// Cancels the request.
    ///
    /// The result is then an error of kind `.cancelled`, unless the request already has a result. You can call this
    /// method from any thread, any number of times.
    func cancel()
}

extension Sequence where Element == any NetworkRequest {
    /// Cancels every request in the sequence.
    public func cancel() {
        for request in self { request.cancel() }
    }
}
