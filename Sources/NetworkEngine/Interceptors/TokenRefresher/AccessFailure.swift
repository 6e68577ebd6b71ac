/// Why a credential is not to be had.
enum AccessFailure: Error {
    case cancelled
    case refused(RefreshFailure)
}
