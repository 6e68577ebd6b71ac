public import Foundation

/// The ways of writing what a query has no standard for, one type for each question.
///
/// ```swift
/// var encoder = QueryEncoder()
/// encoder.arrays = .indexed                    // a[0]=x&a[1]=y
/// encoder.dates = .secondsSince1970
/// encoder.keys = .snakeCase
/// ```
public enum QueryStyle {
    /// What an array's elements are called.
    public enum Arrays: Sendable {
        /// `a[]=x&a[]=y`
        case brackets
        /// `a=x&a=y`
        case noBrackets
        /// `a[0]=x&a[1]=y`
        case indexed
        /// The name of the element at an index, given the array's.
        case custom(@Sendable (_ name: String, _ index: Int) -> String)
    }

    /// How `true` and `false` are written.
    public enum Bools: Sendable {
        /// `1` and `0`
        case numeric
        /// `true` and `false`
        case literal
        case custom(@Sendable (Bool) -> String)
    }

    /// How bytes are written.
    public enum Blobs: Sendable {
        case base64
        /// As `Data` encodes itself: an array of numbers.
        case deferredToData
        case custom(@Sendable (Data) throws -> String)
    }

    /// How dates are written.
    public enum Dates: Sendable {
        /// `2026-01-31T12:00:00Z`, without fractions of a second.
        case iso8601
        /// As `Date` encodes itself: seconds since 2001.
        case deferredToDate
        case secondsSince1970
        /// Whole milliseconds.
        case millisecondsSince1970
        case formatted(DateFormatter)
        case custom(@Sendable (Date) throws -> String)
    }

    /// How names of parameters and properties are written.
    public enum Keys: Sendable {
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
        case custom(@Sendable (String) -> String)
    }

    /// What a value inside of another is called.
    public enum KeyPaths: Sendable {
        /// `a[b]=x`
        case brackets
        /// `a.b=x`
        case dots
        /// The name of the inner value, given both.
        case custom(@Sendable (_ outer: String, _ inner: String) -> String)
    }

    /// What becomes of `nil`.
    public enum Nils: Sendable {
        /// It is left out.
        case dropKey
        /// `a=`
        case dropValue
        /// `a=null`
        case asNull
    }

    /// How a space is written.
    public enum Spaces: Sendable {
        /// `%20`, which every decoder understands.
        case percentEncoded
        /// `+`, as forms do in browsers.
        case plus
    }
}
