import Dispatch
import Foundation
import NetworkEngine

/// A store's files, and the number of bytes that can be added to them.
final class DiskCacheFiles: Sendable {
    /// A complete body without a stored head.
    enum WrittenBody: Sendable {
        case inline(Data)
        /// A temporary file, locked by its writer.
        case file(BodyFile, checksum: UInt64)
    }

    let folder: CacheFolder
    let limit: Int64
    private struct Budget {
        /// The number of bytes that can be written before the folder is trimmed. Initially zero, so that the folder is
        /// searched for leftovers.
        var bytes: Int64 = 0
        var isTrimming = false
    }

    private let budget = Locked(Budget())
    private let trimming = DispatchQueue(label: "NetworkEngine.cache", qos: .utility)
    /// Two responses that are stored simultaneously must not choose the same slot, and a removed entry must not be
    /// written again with a new head.
    private let placement = Locked(())

    init(folder: CacheFolder, limit: Int64) {
        self.folder = folder
        self.limit = limit
    }

    func record(_ slotName: String) -> CacheRecord? {
        folder.content(of: slotName).flatMap { CacheRecord($0, as: slotName) }
    }

    /// Removes an entry with its body.
    func remove(_ slotName: String) {
        guard folder.exists(slotName) else { return }
        let record = record(slotName)
        folder.remove(slotName)
        if case .file(let body, _)? = record?.body, body.hasPrefix(slotName + "-") { folder.remove(body) }
    }

    func remove(_ key: CacheKey) {
        let name = folder.name(of: key)
        placement.withLock { _ in
            for slot in 0..<CacheFolder.slotCount { remove(folder.slotName(name, slot)) }
        }
    }

    func removeAll(where isRemoved: (String) -> Bool) {
        placement.withLock { _ in
            for name in folder.names() where isRemoved(name) { folder.remove(name) }
        }
    }

    /// Replaces the head of an entry.
    func update(_ entry: CacheEntry) {
        let count = placement.withLock { _ -> Int64? in
            guard let record = record(entry.token) else { return nil }
            // The slot may have been given to another response in the meantime. A response that arrived after the
            // update's request is a different one. One whose head arrived before it can have other validators.
            guard record.response.variant == entry.response.variant,
                record.response.bodyLength == entry.response.bodyLength,
                record.response.responseTime <= entry.response.requestTime,
                record.response.headers.describesSameContent(as: entry.response.headers)
            else { return nil }
            return write(CacheRecord(response: entry.response, body: record.body), as: entry.token)
        }
        if let count { spend(count) }
    }

    /// Stores an entry in its variant's slot, in a free one, or in the oldest entry's. Returns whether it is stored.
    func store(_ response: StoredResponse, for key: CacheKey, body: WrittenBody) -> Bool {
        guard !isOverdrawn else { return false }
        let count = placement.withLock { _ -> Int64? in
            let name = folder.name(of: key)
            let slots = (0..<CacheFolder.slotCount).map { folder.slotName(name, $0) }
            let records = slots.map { folder.exists($0) ? record($0) : nil }
            let times = records.map { $0?.response.responseTime ?? .distantPast }
            let index =
                records.firstIndex { $0?.response.variant == response.variant } ?? records.firstIndex { $0 == nil }
                ?? times.firstIndex { $0 == times.min() } ?? 0
            guard let content = place(body, for: slots[index]) else { return nil }
            guard let count = write(CacheRecord(response: response, body: content), as: slots[index]) else {
                if case .file(let body, _) = content { folder.remove(body) }
                return nil
            }
            if case .file(let body, _)? = records[index]?.body, body.hasPrefix(slots[index] + "-") {
                folder.remove(body)
            }
            return count
        }
        // Outside the lock, because it may take a long time.
        if let count { spend(count) }
        return count != nil
    }

    private func write(_ record: CacheRecord, as slotName: String) -> Int64? {
        let data = record.encoded(as: slotName)
        do {
            try folder.write(data, as: slotName)
            return Int64(data.count)
        } catch {
            failed(error)
            return nil
        }
    }

    /// Frees space after a write failed because the disk is full.
    func failed(_ error: any Error) {
        guard let code = (error as? POSIXError)?.code, code == .ENOSPC || code == .EDQUOT else { return }
        let isFirst = budget.withLock { budget in
            defer { budget.isTrimming = true }
            return !budget.isTrimming
        }
        if isFirst { trimming.async { self.trim(to: min(self.limit, self.folder.size() / 2)) } }
    }

    private func place(_ body: WrittenBody, for slotName: String) -> CacheRecord.Body? {
        switch body {
        case .inline(let data): return .inline(data)
        case .file(let file, let checksum):
            let name = folder.freshBodyName(for: slotName)
            guard (try? folder.rename(file, to: name)) != nil else { return nil }
            return .file(name: name, checksum: checksum)
        }
    }

    /// Whether so much was written during trimming that nothing more is stored. No call waits for trimming.
    var isOverdrawn: Bool { budget.withLock { $0.isTrimming && $0.bytes < -limit / 16 } }

    /// Counts written bytes, and trims the folder when the budget is spent. A large folder is trimmed in the
    /// background.
    func spend(_ count: Int64) {
        let isFirst = budget.withLock { budget in
            budget.bytes -= count
            guard !budget.isTrimming, budget.bytes < 0 else { return false }
            budget = Budget(bytes: 0, isTrimming: true)
            return true
        }
        guard isFirst else { return }
        if folder.hasFewFiles {
            trimming.sync { trim(to: limit) }
        } else {
            trimming.async { self.trim(to: self.limit) }
        }
    }

    /// Waits until running trimming has finished.
    func waitForTrimming() { trimming.sync {} }

    private func trim(to limit: Int64) {
        let bytes = folder.trim(to: limit)
        // Bytes written in the meantime are already subtracted.
        budget.withLock { $0 = Budget(bytes: $0.bytes + bytes) }
    }
}
