import Foundation
import NetworkEngine

extension CacheFolder {
    /// The files in the folder, by kind.
    private struct Listing {
        struct File {
            let name: String
            let size: Int64
            let lastUse: Double
        }

        var records: [String: File] = [:]
        /// The bodies for each record's name.
        var bodies: [String: [File]] = [:]
        var temporary: [File] = []

        var size: Int64 {
            records.values.reduce(0) { $0 + $1.size } + bodies.values.joined().reduce(0) { $0 + $1.size }
                + temporary.reduce(0) { $0 + $1.size }
        }
    }

    /// Whether scanning all files takes a few milliseconds at most.
    var hasFewFiles: Bool {
        guard let folder = opendir(path) else { return true }
        defer { closedir(folder) }
        for _ in 0..<Self.fewFiles where readdir(folder) == nil { return true }
        return false
    }

    static let fewFiles = 2_048

    /// The total size of all files in bytes.
    func size() -> Int64 { names().reduce(0) { $0 + (attributes(of: $1)?.size ?? 0) } }

    /// Removes leftovers from crashed writers, and the least recently used entries beyond the limit.
    ///
    /// Returns the number of bytes that can be written before the next call.
    func trim(to limit: Int64) -> Int64 {
        let listing = listing()
        var size = listing.size - removeLeftovers(listing)
        if size > limit - limit / 16 {
            for record in listing.records.values.sorted(by: { $0.lastUse < $1.lastUse }) {
                guard size > limit - limit / 8 else { break }
                let bodies = listing.bodies[record.name] ?? []
                remove(record.name)
                bodies.forEach { remove($0.name) }
                size -= bodies.reduce(record.size) { $0 + $1.size }
            }
        }
        // Other processes also write, and count separately.
        return max(0, limit - size) / 2
    }

    private func listing() -> Listing {
        names().reduce(into: Listing()) { listing, name in
            guard name != "salt", let attributes = attributes(of: name) else { return }
            let file = Listing.File(name: name, size: attributes.size, lastUse: attributes.lastUse)
            let parts = name.split(separator: "-", maxSplits: 1)
            if parts.first == "tmp" {
                listing.temporary.append(file)
            } else if parts.count == 2 {
                listing.bodies[String(parts[0]), default: []].append(file)
            } else {
                listing.records[name] = file
            }
        }
    }

    /// Removes files that are not used by a record or locked by a writer. Returns their size.
    private func removeLeftovers(_ listing: Listing) -> Int64 {
        let orphans = listing.bodies.flatMap { name, bodies -> [Listing.File] in
            // Usually a record has only one body, so it is not necessary to read the record.
            if bodies.count == 1, listing.records[name] != nil { return [] }
            return bodies.filter { !isUsed($0.name, by: name) }
        }
        return (listing.temporary + orphans).reduce(0) { size, leftover in
            guard let file = try? BodyFile.continuing(url(of: leftover.name)) else { return size }
            // Between the check and the lock, the writer may have finished.
            let owner = leftover.name.split(separator: "-").first.map(String.init) ?? ""
            guard owner == "tmp" || !isUsed(leftover.name, by: owner) else { return size }
            remove(leftover.name)
            file.release()
            return size + leftover.size
        }
    }

    private func isUsed(_ body: String, by record: String) -> Bool {
        guard let data = content(of: record), case .file(body, _)? = CacheRecord(data, as: record)?.body else {
            return false
        }
        return true
    }
}
