import NetworkEngine

/// The errors of the app. Screens handle no other errors.
package enum DirectoryError: Error, Equatable {
    case cancelled, notFound, offline
    case unavailable(String)

    init(_ error: NetworkError) {
        switch error.kind {
        case .cancelled: self = .cancelled
        case .offline: self = .offline
        case .status where error.statusName == .notFound: self = .notFound
        default: self = .unavailable(error.reason)
        }
    }
}
