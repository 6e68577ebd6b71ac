public import Foundation

/// A fixture is missing or not what it should be: which file, which line, which value.
///
/// ```
/// /…/JSON/UserListResponse.json:14: users[3].email: Expected to decode String but found number instead
/// ```
public struct FixtureError: Error, Equatable, CustomStringConvertible, LocalizedError {
    /// The name that was asked for.
    public let name: String
    public let file: URL?
    /// 1 for the first line.
    public let line: Int?
    /// Where in the JSON, such as `users[3].email`; empty for all of it.
    public let codingPath: String
    public let reason: String

    public init(name: String, file: URL? = nil, line: Int? = nil, codingPath: String = "", reason: String) {
        self.name = name
        self.file = file
        self.line = line
        self.codingPath = codingPath
        self.reason = reason
    }

    /// File, line and place as editors and terminals make them clickable.
    public var description: String {
        let place = file.map { $0.path + (line.map { ":\($0)" } ?? "") } ?? "fixture \(name)"
        return [place, codingPath, reason].filter { !$0.isEmpty }.joined(separator: ": ")
    }

    public var errorDescription: String? { description }
}
