import Foundation
import NetworkEngine

/// What can go wrong, as the screens of the app distinguish it.
enum AppError: Error, Equatable {
    case signedOut
    case offline
    case missing
    case refused([String])
    case cancelled
    case other(String)
}

struct AppErrorMapper: NetworkErrorMapper {
    private nonisolated struct Refusal: Decodable { let messages: [String] }

    func map(_ error: NetworkError) -> AppError {
        if error.endsSession { return .signedOut }
        // Any other failure of a refresh leaves the user signed in, and may have a cause in the network.
        let error = error.networkCause ?? error
        return switch (error.kind, error.statusCode) {
        case (.offline, _), (.connection, _): .offline
        case (_, 404): .missing
        case (_, 422): .refused(error.body(as: Refusal.self)?.messages ?? [])
        case (.cancelled, _): .cancelled
        default: .other(error.localizedDescription)
        }
    }
}
