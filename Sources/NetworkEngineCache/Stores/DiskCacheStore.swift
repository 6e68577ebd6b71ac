public import Foundation
import NetworkEngine

/// Stores responses in a folder, and removes the least recently used ones when their size exceeds the limit.
///
/// Only the process's user can read the files. Their names do not reveal any URL. Several processes can use the folder
/// simultaneously. Damaged files are ignored, and leftovers from a crash are removed.
///
/// A file is locked while a response is written to it. iOS terminates an app that is suspended while it holds a lock in
/// a shared container (`0xdead10cc`): choose a folder in the app's own container, such as its caches folder.
public struct DiskCacheStore: LimitedCacheStore {
    private let files: DiskCacheFiles

    /// - Parameter folder: created if needed. The files are in a subfolder.
    /// - Parameter limit: the total size of all files in bytes. Processes that share the folder may exceed it briefly.
    public init(folder: URL, limit: Int) throws {
        files = DiskCacheFiles(folder: try CacheFolder(folder), limit: Int64(max(0, limit)))
    }

    public func entries(for key: CacheKey) -> [CacheEntry] {
        let name = files.folder.name(of: key)
        return (0..<CacheFolder.slotCount).compactMap { slot in
            let slotName = files.folder.slotName(name, slot)
            guard files.folder.exists(slotName), let entry = entry(slotName, for: key) else { return nil }
            files.folder.markUsed(slotName)
            return entry
        }
    }

    public func writer(for key: CacheKey) -> any CacheWriter { DiskCacheWriter(key: key, files: files) }

    public func update(_ entry: CacheEntry) { files.update(entry) }

    public func remove(_ key: CacheKey) { files.remove(key) }

    public func removeAll(from origin: String) {
        let prefix = files.folder.prefix(ofOrigin: origin)
        files.removeAll { $0.hasPrefix(prefix) }
    }

    public func removeAll() { files.removeAll { $0 != "salt" && !$0.hasPrefix("tmp-") } }

    /// The total size of all files in bytes.
    public var size: Int64 { files.folder.size() }

    package var bodyLimit: Int64 { files.limit }

    /// A body evicts others only when it is complete.
    package var unmeasuredBodyLimit: Int64 { files.limit }

    /// Waits until a large folder is trimmed, which happens in the background.
    func waitForTrimming() { files.waitForTrimming() }

    private func entry(_ slotName: String, for key: CacheKey) -> CacheEntry? {
        var unusable: String?
        for _ in 0..<Self.mostReadings {
            guard let record = files.record(slotName) else {
                files.folder.remove(slotName)
                return nil
            }
            switch record.body {
            case .inline(let data):
                return CacheEntry(key: key, response: record.response, body: CacheBody([data]), token: slotName)
            case .file(let name, let checksum):
                // Opened before it is needed: another process may replace the entry, and an open file remains readable.
                if name.hasPrefix(slotName + "-"), !name.contains("/"),
                    let file = try? BodyFile.reading(files.folder.url(of: name)),
                    file.length == record.response.bodyLength
                {
                    let body = CacheBody(file, checksum: checksum)
                    return CacheEntry(key: key, response: record.response, body: body, token: slotName)
                }
                // Another process may have replaced the entry after its record was read.
                if name == unusable {
                    files.remove(slotName)
                    return nil
                }
                unusable = name
            }
        }
        return nil
    }

    private static let mostReadings = 8
}
