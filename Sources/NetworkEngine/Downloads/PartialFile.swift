package import Foundation

/// The beginning of a body on disk, in the hands of one exchange at a time.
package struct PartialFile: Sendable {
    package let file: BodyFile
    package let entity: DownloadEntity
    /// A digest of the address that the bytes came from.
    package let source: String
    /// Bytes that are there.
    package var count: Int64

    package init(file: BodyFile, entity: DownloadEntity, source: String, count: Int64) {
        self.file = file
        self.entity = entity
        self.source = source
        self.count = count
    }

    /// What an earlier download has left; `nil` when that is not there, not ours alone or in use.
    package init?(resuming entity: DownloadEntity, from source: String, at place: URL) {
        guard let file = try? BodyFile.continuing(place) else { return nil }
        // Of what is there already to the last byte, that byte is fetched again: no server gives less than one.
        let count = min(file.length, entity.total - 1)
        guard count > 0, (try? file.cut(to: count)) != nil else { return nil }
        self.init(file: file, entity: entity, source: source, count: count)
    }

    package var place: URL { URL(fileURLWithPath: file.path) }
}
