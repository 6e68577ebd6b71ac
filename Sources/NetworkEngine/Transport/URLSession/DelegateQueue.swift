import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

/// A serial queue that costs less than what an operation queue does for each of the three calls that a request makes.
///
/// The session only ever adds blocks, and only needs that they run one after the other. `@unchecked Sendable` is the
/// superclass's own, which the compiler demands to be said again; what is added here is a constant.
final class DelegateQueue: OperationQueue, @unchecked Sendable {
    private let queue = DispatchQueue(label: "NetworkEngine.URLSession.delegate")

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        queue.async(execute: block)
    }
}
#endif
