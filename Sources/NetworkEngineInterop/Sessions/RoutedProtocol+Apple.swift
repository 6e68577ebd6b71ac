#if !canImport(FoundationNetworking)
import Foundation
import NetworkEngine

/// On Apple platforms all session callbacks must run on the thread that called `startLoading`.
extension RoutedProtocol {
    /// Makes the load's thread take the waiting event.
    var wake: @Sendable () -> Void {
        let thread = Locked(LoadingThread(loader: self, loop: CFRunLoopGetCurrent()))
        return {
            let loop = thread.withLock { $0.loop }
            CFRunLoopPerformBlock(loop, CFRunLoopMode.commonModes.rawValue) {
                thread.withLock { $0.loader }?.deliver()
            }
            CFRunLoopWakeUp(loop)
        }
    }

    /// Whether the task can receive events. A stopped load has none.
    var isRunning: Bool { true }

    /// Whether `stopLoading` was called because of `suspend()`; never on Apple platforms.
    var isPause: Bool { false }

    /// Why a task cannot be loaded.
    var unsupportedTask: String? { nil }

    /// The content of an upload task, which is part of the request here.
    var uploadedContent: UploadedContent? { nil }

    /// Whether the response is passed to the session in pieces.
    var takesPieces: Bool { true }

    /// The response in a form that Foundation can pass on.
    static func passable(_ response: URLResponse) -> URLResponse { response }
}

/// The thread that started a load. It does not retain the load.
private struct LoadingThread<Name: RouteName> {
    weak var loader: RoutedProtocol<Name>?
    let loop: CFRunLoop?
}
#endif
