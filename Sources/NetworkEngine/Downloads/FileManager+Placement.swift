package import Foundation

extension FileManager {
    /// Moves a file so that it appears at its destination completely or not at all.
    ///
    /// A move to another disk is a copy that is visible while it grows. In that case the file is first copied to the
    /// destination's folder.
    package func place(_ source: URL, at goal: URL, replacing isReplacing: Bool) throws {
        let folder = goal.deletingLastPathComponent()
        guard volume(of: source) == volume(of: folder) else {
            let neighbour = folder.appendingPathComponent(".NetworkEngine-\(UUID().uuidString)")
            defer { try? removeItem(at: neighbour) }
            try copyItem(at: source, to: neighbour)
            try rename(neighbour, to: goal, replacing: isReplacing)
            return try removeItem(at: source)
        }
        try rename(source, to: goal, replacing: isReplacing)
    }

    private func rename(_ source: URL, to goal: URL, replacing isReplacing: Bool) throws {
        guard isReplacing else { return try moveItem(at: source, to: goal) }
        // Atomic, and unlike `replaceItemAt` it does not replace a folder with a file.
        guard Foundation.rename(source.path, goal.path) == 0 else { throw POSIXError.current }
    }

    private func volume(of url: URL) -> NSNumber? {
        try? attributesOfItem(atPath: url.path)[.systemNumber] as? NSNumber
    }
}
