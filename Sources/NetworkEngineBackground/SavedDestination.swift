import Foundation
import NetworkEngine

/// A download's destination in a form that outlives the process.
///
/// A path inside the app's home folder is saved relative to it, because the system moves that folder when it updates
/// the app.
struct SavedDestination: Codable, Hashable, Sendable {
    private enum Place: Codable, Hashable, Sendable {
        case temporary
        case file(String)
        case folder(String)
    }

    private enum Digest: Codable, Hashable, Sendable {
        case sha256(String)
        case fromServer
    }

    private let place: Place
    private let options: Int
    private let digest: Digest?

    /// Throws `.unsupported` for a destination chosen by a closure.
    init(_ destination: DownloadDestination, home: String = NSHomeDirectory()) throws(NetworkError) {
        switch destination.place {
        case .temporary: place = .temporary
        case .file(let url): place = .file(url.path.relative(to: home))
        case .folder(let url): place = .folder(url.path.relative(to: home))
        case .custom:
            throw .unsupported(
                "a background download outlives the closure of a custom destination; use .file or .suggested")
        }
        options = destination.options.rawValue
        digest = destination.digest.map { digest in
            switch digest {
            case .sha256(let digits): .sha256(digits)
            case .fromServer: .fromServer
            }
        }
    }

    func destination(home: String = NSHomeDirectory()) -> DownloadDestination {
        let options = DownloadDestination.Options(rawValue: options)
        let destination: DownloadDestination =
            switch place {
            case .temporary: .temporary
            case .file(let path): .file(at: URL(fileURLWithPath: path.absolute(in: home)), options: options)
            case .folder(let path):
                .suggested(in: URL(fileURLWithPath: path.absolute(in: home), isDirectory: true), options: options)
            }
        return switch digest {
        case nil: destination
        case .sha256(let digits): destination.verifying(.sha256(digits))
        case .fromServer: destination.verifying(.fromServer)
        }
    }
}

extension String {
    /// The path with `~` for the home folder. An absolute path never starts with `~`.
    fileprivate func relative(to home: String) -> String {
        let folder = home.hasSuffix("/") ? home : home + "/"
        return hasPrefix(folder) ? "~/" + dropFirst(folder.count) : self
    }

    fileprivate func absolute(in home: String) -> String {
        guard hasPrefix("~/") else { return self }
        return (home.hasSuffix("/") ? home : home + "/") + dropFirst(2)
    }
}
