import NetworkEngine

/// The entries of an in-memory store, in order of use.
struct MemoryCacheState: Sendable {
    private struct Record: Sendable {
        var entry: CacheEntry
        var cost: Int
        /// The number of the last use.
        var lastUse: Int
    }

    private var records: [String: Record] = [:]
    private var tokens: [CacheKey: [String]] = [:]
    /// The uses, oldest first, including those followed by another use of the same entry.
    private var uses: ArraySlice<(token: String, number: Int)> = []
    private var clock = 0
    private(set) var size = 0
    /// The number of bytes being received.
    private var reserved = 0

    init() {}

    /// Makes room for received bytes. Returns the entries removed for it; `nil` if there is no room.
    mutating func reserve(_ count: Int, limit: Int) -> [CacheEntry]? {
        guard count <= limit - reserved else { return nil }
        reserved += count
        return trim(to: limit)
    }

    mutating func release(_ count: Int) { reserved -= count }

    mutating func entries(for key: CacheKey) -> [CacheEntry] {
        (tokens[key] ?? []).compactMap { token in
            markUsed(token)
            return records[token]?.entry
        }
    }

    /// Inserts an entry, replacing its variant. Returns the entries removed for it.
    mutating func insert(_ entry: CacheEntry, limit: Int) -> [CacheEntry] {
        let cost = entry.cost
        guard cost <= limit else { return [entry] }
        let variants = tokens[entry.key] ?? []
        var removed = variants.filter { records[$0]?.entry.response.variant == entry.response.variant }.compactMap {
            drop($0)
        }
        if let oldest = tokens[entry.key]?.first, tokens[entry.key]?.count ?? 0 >= Self.variantLimit {
            removed += [drop(oldest)].compactMap(\.self)
        }
        records[entry.token] = Record(entry: entry, cost: cost, lastUse: 0)
        tokens[entry.key, default: []].append(entry.token)
        size += cost
        markUsed(entry.token)
        return removed + trim(to: limit)
    }

    /// Replaces the head of an entry that is still stored.
    mutating func update(_ entry: CacheEntry, limit: Int) -> [CacheEntry] {
        guard let record = records[entry.token] else { return [] }
        let cost = entry.cost
        size += cost - record.cost
        records[entry.token] = Record(entry: entry, cost: cost, lastUse: record.lastUse)
        return trim(to: limit)
    }

    mutating func remove(_ key: CacheKey) -> [CacheEntry] { (tokens[key] ?? []).compactMap { drop($0) } }

    mutating func remove(where shouldRemove: (CacheEntry) -> Bool) -> [CacheEntry] {
        records.filter { shouldRemove($0.value.entry) }.keys.compactMap { drop($0) }
    }

    private mutating func trim(to limit: Int) -> [CacheEntry] {
        var removed: [CacheEntry] = []
        while size + reserved > limit, let oldest = uses.popFirst() {
            guard records[oldest.token]?.lastUse == oldest.number else { continue }
            removed += [drop(oldest.token)].compactMap(\.self)
        }
        return removed
    }

    private mutating func markUsed(_ token: String) {
        clock += 1
        records[token]?.lastUse = clock
        uses.append((token, clock))
        guard uses.count > 2 * records.count + 64 else { return }
        uses = ArraySlice(uses.filter { records[$0.token]?.lastUse == $0.number })
    }

    private mutating func drop(_ token: String) -> CacheEntry? {
        guard let record = records.removeValue(forKey: token) else { return nil }
        size -= record.cost
        tokens[record.entry.key]?.removeAll { $0 == token }
        if tokens[record.entry.key]?.isEmpty == true { tokens[record.entry.key] = nil }
        return record.entry
    }

    private static let variantLimit = 64
}

extension CacheEntry {
    /// The approximate number of bytes in memory.
    fileprivate var cost: Int {
        let fields = response.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        return Int(clamping: body.length) + fields + key.address.utf8.count + 256
    }
}
