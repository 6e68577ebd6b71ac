/// What one call wants besides its request.
package struct CallOptions: Sendable {
    package var target: (any TargetType)?
    /// The target's, unless this says otherwise.
    package var validation: ResponseValidation?
    /// Whether the body goes to a file.
    package var savesToFile = false
    package var progress: (@Sendable (TransferProgress) -> Void)?

    package init(target: (any TargetType)? = nil) {
        self.target = target
    }
}
