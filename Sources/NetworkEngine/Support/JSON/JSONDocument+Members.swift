import Foundation

extension JSONDocument {
    /// The members of an object by name, where names cannot be told from each other by their bytes, or are many.
    ///
    /// Of members with the same name the first counts. Names are the same as strings are: a letter and its accent are the
    /// letter with the accent.
    func members(of object: Int) -> [String: Int]? {
        let token = tokens[object]
        guard token.trait == .wide || token.count > 32 || hasOddNames(object) else { return nil }
        var members: [String: Int] = [:]
        members.reserveCapacity(min(Int(token.count), 1_024))
        forEachMember(of: object) { name, value in
            let name = names.name(for: name)
            if members[name] == nil { members[name] = value }
        }
        return members
    }

    /// Whether there is a name that cannot be made camel case byte by byte.
    private func hasOddNames(_ object: Int) -> Bool {
        guard names == .camelCase else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            names(of: object).contains { JSONCamelCase(JSONBytes(bytes), tokens[$0].content) == nil }
        }
    }

    /// Gives the names and the places of the values in the order of the text.
    func forEachMember(of object: Int, _ body: (_ name: String, _ value: Int) throws -> Void) rethrows {
        for name in names(of: object) { try body(text(of: tokens[name]), name + 1) }
    }

    /// The place of a member's value, where names can be told from each other by their bytes.
    func value(named name: String, in object: Int) -> Int? {
        var name = name
        let found = name.withUTF8 { value(named: $0, in: object) }
        guard found == nil, !name.utf8.allSatisfy({ $0 < 0x80 }) else { return found }
        var same: Int?
        forEachMember(of: object) { if same == nil, names.name(for: $0) == name { same = $1 } }
        return same
    }

    private func value(named name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            for place in names(of: object) {
                let content = tokens[place].content
                let isSame =
                    switch names {
                    case .asWritten: content.count == name.count && bytes[content].elementsEqual(name)
                    case .camelCase: JSONCamelCase(JSONBytes(bytes), content)?.reads(name) == true
                    }
                if isSame { return place + 1 }
            }
            return nil
        }
    }

    /// The places of the names.
    private func names(of object: Int) -> some Sequence<Int> {
        sequence(state: object + 1) { [tokens, end = Int(tokens[object].next)] place in
            guard place < end else { return nil }
            defer { place = Int(tokens[place + 1].next) }
            return place
        }
    }
}
