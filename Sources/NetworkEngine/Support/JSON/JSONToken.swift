/// One value or name of a JSON text, and where it is.
///
/// The tokens of a text stand in the order of the text: an array is followed by its elements, an object by its names and
/// values in turn.
struct JSONToken {
    enum Kind: UInt8 {
        case null, no, yes, number, string, array, object
    }

    /// What makes a token need more work than most of its kind.
    enum Trait: UInt8 {
        case plain
        /// A number with a fraction or an exponent.
        case fractional
        /// A string that is not all ASCII; an object with such a name, or an escaped one.
        case wide
        /// A string with an escape in it.
        case escaped
    }

    let kind: Kind
    var trait: Trait = .plain
    /// Where the content begins: behind the quotation mark.
    let start: UInt32
    /// Where the content ends.
    var end: UInt32 = 0
    /// How many elements or members there are.
    var count: UInt32 = 0
    /// The index of the token that follows, behind everything that belongs to this one.
    var next: UInt32 = 0

    var content: Range<Int> { Int(start)..<Int(max(start, end)) }
}
