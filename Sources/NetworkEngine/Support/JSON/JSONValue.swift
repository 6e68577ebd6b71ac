import Foundation

/// One value of a document on its way into a type, and how the way there was.
///
/// A class, so that the containers that stand for it are one pointer: the generic code around them copies them at each
/// member.
final class JSONValue {
    let document: JSONDocument
    let index: Int
    /// The number of arrays and objects around it.
    let depth: Int
    /// The places of an object's values, where finding them takes more than comparing bytes.
    private(set) var members: [String: Int]?
    private let parent: JSONValue?
    private let key: (any CodingKey)?
    /// Kept once it was asked for: a type that tries what a value is asks each time that it fails.
    private var path: [any CodingKey]?

    /// The value that is the whole document.
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

    var userInfo: [CodingUserInfoKey: Any] { document.userInfo }

    var codingPath: [any CodingKey] {
        if let path { return path }
        var keys: [any CodingKey] = []
        var place: JSONValue? = self
        while let here = place {
            if let known = here.path {
                keys = known + keys.reversed()
                self.path = keys
                return keys
            }
            if let key = here.key { keys.append(key) }
            place = here.parent
        }
        keys.reverse()
        path = keys
        return keys
    }

    /// Finds the members of an object, so that they are at hand.
    func prepareMembers() {
        if members == nil { members = document.members(of: index) }
    }
}
