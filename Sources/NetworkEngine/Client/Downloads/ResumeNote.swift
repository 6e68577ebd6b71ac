import Foundation

/// A hidden file beside a download's destination, that says how to go on with what was broken off.
struct ResumeNote: Sendable {
    let place: URL

    /// What it says, if it is there and can be read.
    var data: ResumeData? {
        guard let bytes = try? Data(contentsOf: place), bytes.count < 64 << 10 else { return nil }
        return try? JSONDecoder().decode(ResumeData.self, from: bytes)
    }

    /// Puts something else in its place, or nothing. A note that cannot be written is one that is not there: the download
    /// itself is none the worse.
    func write(_ data: ResumeData?) {
        guard let data, let bytes = try? JSONEncoder().encode(data) else { return remove() }
        try? bytes.write(to: place, options: .atomic)
    }

    func remove() { try? FileManager.default.removeItem(at: place) }
}
