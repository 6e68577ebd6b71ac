#if canImport(Combine)
public import Combine
public import Foundation

extension NetworkProvider {
    /// Sends a target's body, reporting how far it has come, and decodes the answer.
    public func uploadPublisher<Value: Decodable & Sendable>(
        _ target: Target,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<Value, NetworkError> {
        CallPublisher { () async throws(NetworkError) in
            try await upload(target, as: type, progress: progress)
        }
        .eraseToAnyPublisher()
    }

    /// Saves the body of a successful response to the target's destination, and gives the file's place.
    ///
    /// - Parameter resuming: what an earlier download of the same target has left. It stays good when this one fails.
    public func downloadPublisher(
        _ target: Target,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> AnyPublisher<URL, NetworkError> {
        let call = CallPublisher { () async throws(NetworkError) in
            try await download(target, resuming: resuming, progress: progress)
        } onUnclaimed: { file in
            // Nobody will hear of it any more.
            try? FileManager.default.removeItem(at: file)
        }
        return call.eraseToAnyPublisher()
    }
}
#endif
