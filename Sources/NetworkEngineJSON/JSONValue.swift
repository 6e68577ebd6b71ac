import Foundation

/// One value in a document while it is decoded, and the path to it.
///
/// A class, so that its containers are one pointer, because generic code copies them for each member.
final class JSONValue {
    let document: JSONDocument
    let index: Int
    /// The number of arrays and objects around the value.
    let depth: Int
    /// The indices of an object's values by name, if comparing bytes does not find them.
    private(set) var members: [String: Int]?
    private let parent: JSONValue?
    private let key: (any CodingKey)?
    /// Cached, because a type that tries several interpretations requests it at each failure.
    private var path: [any CodingKey]?

    /// Creates the value of the whole document.
    init(_ document: JSONDocument) {
        self.document = document
        index = 0
        depth = 0
        parent = nil
        key = nil
    }

    init(_ index: Int, in parent: JSONValue, _ key: any CodingKey) {
        document = parent.document
        self.index = index
        depth = parent.depth + 1
        self.parent = parent
        self.key = key
    }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var codingPath: [any CodingKey] {
        if let path { return path }
        var keys: [any CodingKey] = []
        var value: JSONValue? = self
        while let current = value {
            if let known = current.path {
                keys = known + keys.reversed()
                self.path = keys
                return keys
            }
            if let key = current.key { keys.append(key) }
            value = current.parent
        }
        keys.reverse()
        path = keys
        return keys
    }

    /// Builds the dictionary of an object's members, if it needs one.
    func prepareMembers() {
        if members == nil { members = document.members(of: index) }
    }
}
