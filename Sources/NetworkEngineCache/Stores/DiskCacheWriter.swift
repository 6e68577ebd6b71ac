import Foundation
import NetworkEngine

/// Writes a body to a file as it arrives; a short one is kept in memory until the commit.
final class DiskCacheWriter: CacheWriter {
    private enum State {
        case short(Data)
        case long(BodyFile, Checksum, Int64)
        /// Too long, failed, or committed.
        case done
    }

    private let key: CacheKey
    private let files: DiskCacheFiles
    private let state = Locked(State.short(Data()))

    /// The maximum length of a body stored in the same file as its head.
    static let inlineLimit = 32 << 10

    init(key: CacheKey, files: DiskCacheFiles) {
        self.key = key
        self.files = files
    }

    deinit {
        if case .long(let file, _, _) = state.withLock({ $0 }) { file.remove() }
    }

    func write(_ piece: Data) -> Bool {
        guard !piece.isEmpty else { return true }
        return state.withLock { state in
            let current = state
            // Avoids a second reference while the body grows.
            state = .done
            state = Self.appending(piece, to: current, in: files)
            if case .done = state { return false }
            return true
        }
    }

    func commit(_ response: StoredResponse) -> Bool {
        let content = state.withLock { state in
            defer { state = .done }
            return state
        }
        var response = response
        let body: DiskCacheFiles.WrittenBody
        switch content {
        case .short(let data):
            response.bodyLength = Int64(data.count)
            body = .inline(data)
        case .long(let file, let checksum, let count):
            response.bodyLength = count
            body = .file(file, checksum: checksum.value)
        case .done: return false
        }
        let isWhole = response.part.map { Int64($0.bounds.count) == response.bodyLength } ?? true
        let isStored = isWhole && response.bodyLength <= files.limit && files.store(response, for: key, body: body)
        guard case .file(let file, _) = body else { return isStored }
        if !isStored { file.remove() }
        file.release()
        files.spend(response.bodyLength)
        return isStored
    }

    private static func appending(_ piece: Data, to state: State, in files: DiskCacheFiles) -> State {
        switch state {
        case .short(var data):
            data += piece
            guard data.count > inlineLimit else { return .short(data) }
            guard !files.isOverdrawn, let file = try? files.folder.temporaryFile() else { return .done }
            return appending(data, to: .long(file, Checksum(), 0), in: files)
        case .long(let file, var checksum, let count):
            do {
                guard count + Int64(piece.count) <= files.limit else { throw POSIXError(.EFBIG) }
                try file.write(piece)
            } catch {
                file.remove()
                files.failed(error)
                return .done
            }
            piece.withUnsafeBytes { checksum.update($0) }
            return .long(file, checksum, count + Int64(piece.count))
        case .done: return .done
        }
    }
}
