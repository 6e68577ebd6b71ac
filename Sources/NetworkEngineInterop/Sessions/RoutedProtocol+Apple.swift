#if !canImport(FoundationNetworking)
import Foundation
import NetworkEngine

/// On Apple platforms a session must be told everything on the thread that has called `startLoading`.
extension RoutedProtocol {
    /// Has the thread of the load take what waits.
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

    /// Whether the task may be told something. A load that was stopped has nothing to tell.
    var isRunning: Bool { true }

    /// Whether `stopLoading` was called for `suspend()`: it never is.
    var isPause: Bool { false }

    /// The reason why a task cannot be loaded.
    var unsupportedTask: String? { nil }

    /// The content of an upload task: it is a part of the request.
    var uploadedContent: UploadedContent? { nil }

    /// Whether the response goes to the session piece by piece.
    var takesPieces: Bool { true }

    /// The response, as Foundation can pass it on.
    static func passable(_ response: URLResponse) -> URLResponse { response }
}

/// The thread that has started a load. Nothing keeps the load.
private struct LoadingThread<Name: RouteName> {
    weak var loader: RoutedProtocol<Name>?
    let loop: CFRunLoop?
}
#endif
