import NetworkEngine

/// What can go wrong, in the words of the app; screens know no other error.
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
