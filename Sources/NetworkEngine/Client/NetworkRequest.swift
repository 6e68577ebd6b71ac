/// A request on its way, which can be called off.
///
/// Implement it for mocks; the handles of this framework conform.
public protocol NetworkRequest: AnyObject, Sendable {
    /// Whether the request was called off before it ended in another way.
    var isCancelled: Bool { get }

    /// Cancels the request.
    ///
    /// Its one outcome is then an error of kind `.cancelled`, unless another outcome had been decided before. Safe to call
    /// from anywhere, any number of times.
    func cancel()
}

extension Sequence where Element == any NetworkRequest {
    /// Cancels each of them.
    public func cancel() {
        for request in self { request.cancel() }
    }
}
