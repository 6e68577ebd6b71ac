public import Foundation

/// Options where queries have no standard encoding.
///
/// ```swift
/// var encoder = QueryEncoder()
/// encoder.arrays = .indexed                    // a[0]=x&a[1]=y
/// encoder.dates = .secondsSince1970
/// encoder.keys = .snakeCase
/// ```
public enum QueryStyle {
    /// The names of an array's elements.
    public enum Arrays: Sendable {
        /// `a[]=x&a[]=y`
        case brackets
        /// `a=x&a=y`
        case noBrackets
        /// `a[0]=x&a[1]=y`
        case indexed
        /// Returns the name of the element at an index of an array.
        case custom(@Sendable (_ name: String, _ index: Int) -> String)
    }

    /// The encoding of `true` and `false`.
    public enum Bools: Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
        /// Returns the text of a Boolean value.
        case custom(@Sendable (Bool) -> String)
    }

    /// The encoding of data.
    public enum Blobs: Sendable {
        /// Base64, with the standard alphabet and padding.
        case base64
        /// The encoding of `Data` itself: an array of numbers.
        case deferredToData
        /// Returns the text of the data. If it throws, the call fails with `.encoding`.
        case custom(@Sendable (Data) throws -> String)
    }

    /// The encoding of dates.
    public enum Dates: Sendable {
        /// `2026-01-31T12:00:00Z`, without fractions of a second.
        case iso8601
        /// The encoding of `Date` itself: seconds since 2001.
        case deferredToDate
        /// Seconds since 1970, with a fraction if the date has one.
        case secondsSince1970
        /// Whole milliseconds.
        case millisecondsSince1970
        /// The output of a formatter, with its locale and time zone.
        case formatted(DateFormatter)
        /// Returns the text of a date. If it throws, the call fails with `.encoding`.
        case custom(@Sendable (Date) throws -> String)
    }

    /// The conversion of parameter and property names.
    public enum Keys: Sendable {
        /// The names are not changed.
        case useDefaultKeys
        /// `userID` becomes `user_id`
        case snakeCase
        /// `userID` becomes `user-id`
        case kebabCase
        /// `userID` becomes `UserID`
        case capitalized
        /// `userID` becomes `USERID`
        case uppercased
        /// `userID` becomes `userid`
        case lowercased
        /// Returns the converted name.
        case custom(@Sendable (String) -> String)
    }

    /// The names of nested values.
    public enum KeyPaths: Sendable {
        /// `a[b]=x`
        case brackets
        /// `a.b=x`
        case dots
        /// Returns the inner value's name, based on both names.
        case custom(@Sendable (_ outer: String, _ inner: String) -> String)
    }

    /// The encoding of `nil`.
    public enum Nils: Sendable {
        /// Omits the parameter.
        case dropKey
        /// `a=`
        case dropValue
        /// `a=null`
        case asNull
    }

    /// The encoding of a space.
    public enum Spaces: Sendable {
        /// `%20`, which every decoder understands.
        case percentEncoded
        /// `+`, like forms in browsers.
        case plus
    }
}

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

    /// Omits the `.0` of whole numbers.
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

    /// A word starts at an uppercase letter after a lowercase letter or digit, and at the last of several uppercase
    /// letters before a lowercase letter: `myURLProperty` is `my`, `url`, `property`.
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
