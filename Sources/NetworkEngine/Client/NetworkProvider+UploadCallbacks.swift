public import Dispatch

extension NetworkProvider {
    /// Uploads, and delivers the decoded answer on the main actor; progress reports the bytes that were sent.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .json, .upload, progress: progress).deliver(toMain: completion)
    }

    /// Uploads, and delivers the decoded answer on a queue.
    ///
    /// - Parameter progress: reports the bytes that were sent, on an arbitrary thread.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .json, .upload, progress: progress).deliver(on: queue, to: completion)
    }
}
