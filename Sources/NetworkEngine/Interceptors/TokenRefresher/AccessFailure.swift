/// Why a credential is not to be had.
enum AccessFailure: Error {
    case cancelled
    /// The call's time was up first.
    case late
    /// The session in which the call began is over.
    case sessionOver
    case refused(RefreshFailure)
}
