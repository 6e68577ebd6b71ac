public import Foundation
public import NetworkEngine

/// The result of a background transfer.
///
/// ```swift
/// for await outcome in transfers.outcomes {
///     switch outcome.result {
///     case .success: show(outcome.file)
///     case .failure(let error) where error.kind != .cancelled: retry(outcome.transfer, after: error)
///     case .failure: break
///     }
/// }
/// ```
public struct BackgroundOutcome: Sendable {
    /// The transfer that ended.
    public let transfer: BackgroundTransfer
    /// The response. Its body is the placed file of a download, or the response bytes of an upload.
    ///
    /// A status that the configuration's `validation` rejects is an error that contains the beginning of the body. A
    /// file that cannot be placed is also an error.
    public let result: Result<HTTPResponse, NetworkError>
    /// The system's data to resume an interrupted download; `nil` if it cannot be resumed.
    ///
    /// It contains the request with its credentials. Store it like a credential.
    public let resumeData: Data?

    /// Creates an outcome, for example for a mock.
    public init(
        transfer: BackgroundTransfer,
        result: Result<HTTPResponse, NetworkError>,
        resumeData: Data? = nil
    ) {
        self.transfer = transfer
        self.result = result
        self.resumeData = resumeData
    }

    /// The file of a successful download.
    public var file: URL? {
        guard case .success(let response) = result, case .file(let url) = response.body else { return nil }
        return url
    }
}

extension BackgroundOutcome: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch result {
        case .success(let response): "\(transfer.kind.rawValue) \(transfer.id): status \(response.statusCode)"
        case .failure(let error): "\(transfer.kind.rawValue) \(transfer.id): \(error)"
        }
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["outcome": description], displayStyle: .struct) }
}
