import Foundation
import NetworkEngine

/// Stores responses in memory, and removes the least recently used ones when their size exceeds the limit.
///
/// Responses being received count, too. Downloads to files are not stored, nor are streams of unknown length that
/// exceed a quarter of the limit.
public struct MemoryCacheStore: LimitedCacheStore {
    private let limit: Int
    private let state = Locked(MemoryCacheState())

    /// - Parameter limit: the total size of all responses in bytes.
    public init(limit: Int) { self.limit = max(0, limit) }

    public func entries(for key: CacheKey) -> [CacheEntry] { state.withLock { $0.entries(for: key) } }

    public func writer(for key: CacheKey) -> any CacheWriter {
        Writer(key: key, limit: limit, state: state)
    }

    public func update(_ entry: CacheEntry) {
        let limit = limit
        _ = state.withLock { $0.update(entry, limit: limit) }
    }

    public var acceptsDownloads: Bool { false }

    public func remove(_ key: CacheKey) { _ = state.withLock { $0.remove(key) } }

    public func removeAll(from origin: String) { _ = state.withLock { $0.remove { $0.key.origin == origin } } }

    public func removeAll() {
        _ = state.withLock { $0.remove { _ in true } }
    }

    /// The total size of all responses in bytes.
    public var size: Int { state.withLock { $0.size } }

    package var bodyLimit: Int64 { Int64(limit) }

    /// A quarter: a body evicts others as it arrives, and may prove too long for the store.
    package var unmeasuredBodyLimit: Int64 { Int64(limit / 4) }

    private final class Writer: CacheWriter {
        private let key: CacheKey
        private let limit: Int
        private let state: Locked<MemoryCacheState>
        /// `nil` once the body has exceeded the limit, and after the commit.
        private let pieces = Locked<PieceList?>(PieceList())

        init(key: CacheKey, limit: Int, state: Locked<MemoryCacheState>) {
            self.key = key
            self.limit = limit
            self.state = state
        }

        deinit { giveUp() }

        func write(_ piece: Data) -> Bool {
            guard pieces.withLock({ $0 != nil }) else { return false }
            let limit = limit
            // The removed responses are released outside the lock.
            guard state.withLock({ $0.reserve(piece.count, limit: limit) }) != nil else {
                giveUp()
                return false
            }
            pieces.withLock { $0?.append(piece) }
            return true
        }

        private func giveUp() {
            guard let pieces = pieces.withLock({ $0.take() }) else { return }
            state.withLock { $0.release(pieces.count) }
        }

        func commit(_ response: StoredResponse) -> Bool {
            guard let pieces = pieces.withLock({ $0.take() }) else { return false }
            var response = response
            response.bodyLength = Int64(pieces.count)
            guard response.part.map({ $0.bounds.count == pieces.count }) ?? true else {
                state.withLock { $0.release(pieces.count) }
                return false
            }
            let body = CacheBody(pieces.list)
            let entry = CacheEntry(key: key, response: response, body: body, token: UUID().uuidString)
            let limit = limit
            let removed = state.withLock { state in
                state.release(pieces.count)
                return state.insert(entry, limit: limit)
            }
            return !removed.contains { $0.token == entry.token }
        }
    }
}

/// A body's pieces, joined while they are small, so that many tiny ones need no more memory than their bytes.
struct PieceList: Sendable {
    private(set) var list: [Data] = []
    private(set) var count = 0

    init() {}

    mutating func append(_ piece: Data) {
        guard !piece.isEmpty else { return }
        count += piece.count
        if let last = list.indices.last, list[last].count + piece.count <= Self.pieceLength {
            list[last].append(piece)
        } else {
            list.append(piece)
        }
    }

    private static let pieceLength = 16 << 10
}
