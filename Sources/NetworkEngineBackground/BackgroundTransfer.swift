public import Foundation

/// A download or upload by a background session, which continues after the app has ended.
///
/// The system stores it with the task, without URL, headers and body. It has the same value after a relaunch.
public struct BackgroundTransfer: Codable, Hashable, Sendable, Identifiable {
    /// The direction of a transfer.
    public enum Kind: String, Codable, Hashable, Sendable {
        /// Saves the response body to a file.
        case download
        /// Sends a body to the server.
        case upload
    }

    public let id: UUID
    /// Whether the transfer is a download or an upload.
    public let kind: Kind
    /// The app's name for the transfer. The system stores it unencrypted, so it must not be a secret.
    public let tag: String
    /// The destination of a download.
    let destination: SavedDestination?

    init(id: UUID = UUID(), kind: Kind, tag: String, destination: SavedDestination? = nil) {
        self.id = id
        self.kind = kind
        self.tag = tag
        self.destination = destination
    }
}

extension BackgroundTransfer {
    /// The text that the system stores with a task.
    var taskDescription: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The transfer of a task; `nil` for a text that the framework did not write.
    init?(taskDescription text: String?) {
        guard let text, let transfer = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = transfer
    }
}
