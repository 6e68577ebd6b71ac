/// The options of one call besides its request.
package struct CallOptions: Sendable {
    package var target: (any TargetType)?
    package var validation: ResponseValidation
    /// The files of the call, if its body is saved to a file.
    package var files: DownloadSession?
    /// The storage that interceptors already use; `nil` for a new call.
    package var storage: CallStorage?
    /// Whether the call refreshes a credential that other calls wait for.
    package var isRefresh = false
    /// Whether the response is returned as soon as its head arrives.
    package var streams = false
    /// The time that the reader of a streamed body waits for bytes.
    package var streamTimeout = StreamTimeout.standard
    package var progress: (@Sendable (TransferProgress) -> Void)?
    /// The direction that `progress` reports; both by default.
    package var progressDirection: TransferProgress.Direction?

    package init(target: (any TargetType)? = nil) {
        self.target = target
        validation = target?.validation ?? .success
    }
}
