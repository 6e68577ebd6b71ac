public import Dispatch
public import Foundation

extension NetworkProvider {
    /// Starts a download and gives a handle to wait for the file's place, to follow its progress and to call it off.
    public func startDownload(_ target: Target) -> RequestHandle<URL> {
        download(target, reporting: nil)
    }

    /// Uploads, and delivers the decoded answer on the main actor.
    @discardableResult
    public func upload<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<Value, NetworkError>) -> Void
    ) -> any NetworkRequest {
        start(target, .json, .upload, progress: progress).deliver(toMain: completion)
    }

    /// Uploads, and delivers the decoded answer on a queue; progress is reported on an arbitrary thread.
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

    /// Downloads, and delivers the file's place on the main actor.
    @discardableResult
    public func download(
        _ target: Target,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @MainActor @Sendable (Result<URL, NetworkError>) -> Void
    ) -> any NetworkRequest {
        download(target, reporting: progress).deliver(toMain: completion)
    }

    /// Downloads, and delivers the file's place on a queue; progress is reported on an arbitrary thread.
    @discardableResult
    public func download(
        _ target: Target,
        queue: DispatchQueue,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        completion: @escaping @Sendable (Result<URL, NetworkError>) -> Void
    ) -> any NetworkRequest {
        download(target, reporting: progress).deliver(on: queue, to: completion)
    }

    private func download(
        _ target: Target,
        reporting progress: (@Sendable (TransferProgress) -> Void)?
    ) -> RequestHandle<URL> {
        start(target, target.task.destination.placement, .download, progress: progress) { file in
            // Nobody will hear of it any more.
            try? FileManager.default.removeItem(at: file)
        }
    }
}
