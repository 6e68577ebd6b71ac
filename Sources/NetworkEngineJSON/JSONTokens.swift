/// One value or member name in a JSON text, and its position.
///
/// Tokens are in document order: an array is followed by its elements, an object by its names and values alternately.
struct JSONToken {
    enum Kind: UInt8 {
        case null, `false`, `true`, number, string, array, object
    }

    /// A property that makes a token need more work than most of its kind.
    enum Trait: UInt8 {
        case plain
        /// A number with a fraction or an exponent.
        case fractional
        /// A string that is not entirely ASCII, or an object with such a name or an escaped one.
        case wide
        /// A string with an escape sequence.
        case escaped
    }

    let kind: Kind
    var trait: Trait = .plain
    /// The start of the content. For a string, after the quotation mark.
    let start: UInt32
    /// The end of the content.
    var end: UInt32 = 0
    /// The number of elements or members; for a name, its mark.
    var count: UInt32 = 0
    /// The index of the first token after this one and its contents.
    var next: UInt32 = 0

    var content: Range<Int> { Int(start)..<Int(max(start, end)) }
}

/// The tokens of a text during scanning, in separate memory.
struct JSONTokenList: ~Copyable {
    private var base: UnsafeMutablePointer<JSONToken>
    private(set) var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    @inline(__always)
    mutating func append(_ token: JSONToken) {
        if count == capacity { grow() }
        base.advanced(by: count).initialize(to: token)
        count &+= 1
    }

    mutating func removeAll() { count = 0 }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<JSONToken>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    /// Changes a token that is in the list.
    @inline(__always)
    mutating func change(_ index: Int, _ change: (inout JSONToken) -> Void) {
        if UInt(bitPattern: index) < UInt(bitPattern: count) { change(&base[index]) }
    }

    /// The tokens, for as long as the list exists.
    var view: JSONTokens { JSONTokens(UnsafeBufferPointer(start: base, count: count)) }
}

/// The tokens of a text. Reading past the end returns a null, so no index is out of bounds.
struct JSONTokens {
    private let base: UnsafeBufferPointer<JSONToken>

    init(_ base: UnsafeBufferPointer<JSONToken>) { self.base = base }

    var count: Int { base.count }

    @inline(__always)
    subscript(index: Int) -> JSONToken {
        UInt(bitPattern: index) < UInt(bitPattern: base.count) ? base[index] : JSONToken(kind: .null, start: 0)
    }
}
