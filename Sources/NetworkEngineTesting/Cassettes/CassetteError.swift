public import Foundation

/// A cassette that cannot be read, or that has exchanges nobody asked for.
public struct CassetteError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    public let file: URL
    public let reason: String
    /// The exchanges that were not used, a line for each.
    public let unused: [String]

    public init(file: URL, reason: String, unused: [String] = []) {
        self.file = file
        self.reason = reason
        self.unused = unused
    }

    public var description: String { ([file.path + ": " + reason] + unused.map { "  " + $0 }).joined(separator: "\n") }

    public var errorDescription: String? { description }
}
