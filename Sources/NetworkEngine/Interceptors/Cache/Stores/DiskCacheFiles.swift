import Dispatch
import Foundation

/// The files of a store, and the number of bytes that may be added to them.
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
        /// The number of bytes that may be written before the folder is trimmed. At first none, so that the folder is
        /// searched for leftovers.
        var bytes: Int64 = 0
        var isTrimming = false
    }

    /// What a writer does after it has written.
    private enum Step { case proceed, trim, wait }

    private let budget = Locked(Budget())
    private let trimming = DispatchQueue(label: "NetworkEngine.cache", qos: .utility)
    /// Two responses that are stored at the same time must not choose the same slot.
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

    /// Replaces the record of an entry.
    func save(_ record: CacheRecord, as slotName: String) {
        if let count = write(record, as: slotName) { spend(count) }
    }

    /// Stores an entry in the slot of its variant, a free one, or that of the oldest entry. Returns whether it is stored.
    func store(_ response: StoredResponse, for key: CacheKey, body: WrittenBody) -> Bool {
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
        // Outside of the lock, since it may take long.
        if let count { spend(count) }
        return count != nil
    }

    private func write(_ record: CacheRecord, as slotName: String) -> Int64? {
        let data = record.encoded(as: slotName)
        return (try? folder.write(data, as: slotName)).map { Int64(data.count) }
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

    /// Counts written bytes, and has the folder trimmed when the budget is spent.
    ///
    /// A large folder is trimmed in the background. A writer that exceeds the limit in the meantime waits.
    func spend(_ count: Int64) {
        let step = budget.withLock { budget -> Step in
            budget.bytes -= count
            if budget.isTrimming { return budget.bytes < -limit / 16 ? .wait : .proceed }
            guard budget.bytes < 0 else { return .proceed }
            budget = Budget(bytes: 0, isTrimming: true)
            return .trim
        }
        switch step {
        case .proceed: break
        case .trim where folder.hasFewFiles: trimming.sync { trim() }
        case .trim: trimming.async { self.trim() }
        case .wait: waitForTrimming()
        }
    }

    /// Waits until trimming that has begun has ended.
    func waitForTrimming() { trimming.sync {} }

    private func trim() {
        let bytes = folder.trim(to: limit)
        // What was written in the meantime is already subtracted.
        budget.withLock { $0 = Budget(bytes: $0.bytes + bytes) }
    }
}
