import Foundation

extension QueryStyle.Bools {
    func text(for value: Bool) -> String {
        switch self {
        case .numeric: value ? "1" : "0"
        case .literal: value ? "true" : "false"
        case .custom(let text): text(value)
        }
    }
}

extension QueryStyle.Dates {
    func text(for date: Date) throws -> String {
        switch self {
        case .iso8601: date.formatted(.iso8601)
        case .deferredToDate: Self.text(for: date.timeIntervalSinceReferenceDate)
        case .secondsSince1970: Self.text(for: date.timeIntervalSince1970)
        case .millisecondsSince1970: Self.text(for: (date.timeIntervalSince1970 * 1000).rounded())
        case .formatted(let formatter): formatter.string(from: date)
        case .custom(let text): try text(date)
        }
    }

    /// Without the `.0` of whole numbers.
    private static func text(for interval: TimeInterval) -> String {
        Int64(exactly: interval).map(String.init) ?? String(interval)
    }
}

extension QueryStyle.Keys {
    func text(for key: String) -> String {
        switch self {
        case .useDefaultKeys: key
        case .snakeCase: Self.words(of: key, joinedBy: "_")
        case .kebabCase: Self.words(of: key, joinedBy: "-")
        case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
        case .uppercased: key.uppercased()
        case .lowercased: key.lowercased()
        case .custom(let text): text(key)
        }
    }

    /// A word begins at a capital behind a small letter or digit, and at the last of several capitals when a small letter
    /// follows: `myURLProperty` is `my`, `url`, `property`.
    private static func words(of key: String, joinedBy separator: Character) -> String {
        let characters = Array(key)
        var text = ""
        for (index, character) in characters.enumerated() {
            if character.isUppercase, index > 0, characters[index - 1].isLetter || characters[index - 1].isNumber {
                let followsSmall = !characters[index - 1].isUppercase
                let precedesSmall = index + 1 < characters.count && characters[index + 1].isLowercase
                if followsSmall || precedesSmall { text.append(separator) }
            }
            text += character.lowercased()
        }
        return text
    }
}

extension QueryStyle.KeyPaths {
    func name(of inner: String, in outer: String) -> String {
        switch self {
        case .brackets: "\(outer)[\(inner)]"
        case .dots: "\(outer).\(inner)"
        case .custom(let name): name(outer, inner)
        }
    }
}

extension QueryStyle.Arrays {
    func name(ofElement index: Int, in array: String) -> String {
        switch self {
        case .brackets: array + "[]"
        case .noBrackets: array
        case .indexed: "\(array)[\(index)]"
        case .custom(let name): name(array, index)
        }
    }
}
