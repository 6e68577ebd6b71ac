/// What one call wants besides its request.
package struct CallOptions: Sendable {
    package var target: (any TargetType)?
    package var validation: ResponseValidation
    /// Where the body goes when it is to be in a file.
    package var files: DownloadSession?
    /// What interceptors noted when the call began; `nil` for one that begins now.
    package var storage: CallStorage?
    /// Whether it renews a credential that others wait for.
    package var isRefresh = false
    /// Whether the response is wanted as soon as its head is there.
    package var streams = false
    /// How long the reader of such a body waits for bytes.
    package var streamTimeout = StreamTimeout.standard
    package var progress: (@Sendable (TransferProgress) -> Void)?
    /// The direction that `progress` is about; both unless set.
    package var progressDirection: TransferProgress.Direction?

    package init(target: (any TargetType)? = nil) {
        self.target = target
        validation = target?.validation ?? .success
    }
}
