import Foundation

extension TransferProgress {
    /// Brings Foundation's progress to where the transfer is.
    func show(in progress: Progress) {
        progress.totalUnitCount = total ?? -1
        progress.completedUnitCount = completed
    }
}
