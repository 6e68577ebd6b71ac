import Foundation

/// The start of a body on disk, owned by one exchange at a time.
struct PartialFile: Sendable {
    let file: BodyFile
    let entity: DownloadEntity
    /// A digest of the URL that the bytes came from.
    let source: String
    /// A digest of the request's sender identity.
    let sender: String?
    /// The number of bytes in the file.
    var count: Int64

    init(file: BodyFile, entity: DownloadEntity, of request: HTTPRequest, count: Int64) {
        self.file = file
        self.entity = entity
        source = request.source
        sender = request.senderDigest
        self.count = count
    }

    /// The partial file of an earlier download; `nil` if it is missing, belongs to another user or is in use.
    init?(resuming entity: DownloadEntity, of request: HTTPRequest, at place: URL) {
        guard let file = try? BodyFile.continuing(place) else { return nil }
        // If the file is complete, its last byte is fetched again, because a range must have at least one byte.
        let count = min(file.length, entity.total - 1)
        guard count > 0 else { return nil }
        self.init(file: file, entity: entity, of: request, count: count)
    }

    var place: URL { URL(fileURLWithPath: file.path) }
}
