import Foundation
import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The error of a background task.
struct BackgroundFailure: Sendable {
    let error: any Error
    let resumeData: Data?
    /// The reason why the system canceled the task; `nil` if the app canceled it or the transfer failed.
    let cancellation: SystemCancellation?

    /// A cancellation reason of the system, with the system's number.
    enum SystemCancellation: Int, Sendable {
        case userForceQuit = 0
        case backgroundUpdatesDisabled = 1
        case insufficientResources = 2

        var reason: String {
            switch self {
            case .userForceQuit: "the user quit the app, which ends its background transfers"
            case .backgroundUpdatesDisabled: "the user does not allow the app to run in the background"
            case .insufficientResources: "the system has too few resources for the transfer"
            }
        }
    }

    init(_ error: any Error, resumeData: Data? = nil, cancellation: SystemCancellation? = nil) {
        self.error = error
        self.resumeData = resumeData
        self.cancellation = cancellation
    }

    /// Returns the failure of a call.
    ///
    /// Every cancellation has the kind `.cancelled`: without a reason if the app canceled, with the reason if the
    /// system did.
    func error(request: HTTPRequest, hasHead: Bool) -> NetworkError {
        if let cancellation {
            return NetworkError(kind: .cancelled, reason: cancellation.reason, request: request)
        }
        guard let error = error as? URLError else {
            return SessionFailure.error(error, hasHead: hasHead).completed(request: request)
        }
        if error.code == .cancelled { return .cancelled(request) }
        // The user info can contain the resume data, which includes the request's credentials.
        let plain = URLError(error.code, userInfo: [NSLocalizedDescriptionKey: error.localizedDescription])
        return SessionFailure.error(plain, hasHead: hasHead).completed(request: request)
    }
}
