/// Header fields in the order they were added, found by name without regard to case, a name possibly more than once.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"] = "text/plain"             // replaces
/// headers.add("a=1", for: "Set-Cookie")        // keeps what is there
/// ```
/// `description` hides the values of secret headers. In other values it hides tokens, and the query values and fragments of
/// addresses.
public struct HTTPHeaders: Hashable, Sendable, Sequence, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// One header line.
    public struct Field: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Equal when values are, and names are without regard to case.
        public static func == (left: Self, right: Self) -> Bool {
            left.value == right.value && left.name.equalsIgnoringASCIICase(right.name)
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name.lowercased())
            hasher.combine(value)
        }
    }

    private var fields: [Field]
    /// Marks secret fields beyond what names say. Ignored by equality.
    package var marks: RequestMarks?

    public init() { fields = [] }

    /// The given fields in their order, duplicates kept.
    public init(_ fields: some Sequence<Field>) { self.fields = Array(fields) }

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }

    /// The fields of a dictionary, sorted by name so that the order is the same every time.
    public init(_ dictionary: [String: String]) {
        fields = dictionary.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: $0.value) }
    }

    public var isEmpty: Bool { fields.isEmpty }
    public var count: Int { fields.count }

    /// The value for a name; several are joined by `", "`. Setting replaces all of them, `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.name.equalsIgnoringASCIICase(name) }) else { return nil }
            let rest = fields[(first + 1)...].lazy.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
            return rest.reduce(fields[first].value) { $0 + ", " + $1 }
        }
        set {
            guard let newValue else { return fields.removeAll { $0.name.equalsIgnoringASCIICase(name) } }
            let field = Field(name: name, value: newValue)
            guard let first = fields.firstIndex(where: { $0.name.equalsIgnoringASCIICase(name) }) else {
                return fields.append(field)
            }
            fields[first] = field
            let behind = fields.indices.reversed().prefix { $0 > first }
            for index in behind where fields[index].name.equalsIgnoringASCIICase(name) { fields.remove(at: index) }
        }
    }

    /// Adds a field behind the others, also when there is one of that name.
    public mutating func add(_ value: String, for name: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Each value for a name, in order.
    public func values(for name: String) -> [String] {
        fields.compactMap { $0.name.equalsIgnoringASCIICase(name) ? $0.value : nil }
    }

    public func contains(_ name: String) -> Bool {
        fields.contains { $0.name.equalsIgnoringASCIICase(name) }
    }

    /// Whether there is a field with this name and value.
    package func contains(_ field: Field) -> Bool { fields.contains(field) }

    /// Sets each field of the other headers; names that both have take the other's values, all of them.
    public mutating func merge(_ other: HTTPHeaders) {
        if marks == nil { marks = other.marks }
        if fields.isEmpty { return fields = other.fields }
        fields.removeAll { other.contains($0.name) }
        fields.append(contentsOf: other.fields)
    }

    /// These headers with the other's set over them.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Removes every field whose name satisfies the condition.
    public mutating func removeAll(where shouldRemove: (_ name: String) -> Bool) {
        fields.removeAll { shouldRemove($0.name) }
    }

    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    public static func == (left: Self, right: Self) -> Bool { left.fields == right.fields }

    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    public var description: String { fields.map { "\($0.name): \(shown($0))" }.joined(separator: "\n") }

    /// The value of a field for display.
    private func shown(_ field: Field) -> String {
        if Redaction.isSecret(header: field.name) || marks?.hides(header: field.name) == true {
            return Redaction.placeholder
        }
        return Redaction.describe(value: field.value, of: field.name, hiding: marks)
    }

    /// Whether both share their storage, which says that the fields are the same without comparing them.
    package func isIdentical(to other: HTTPHeaders) -> Bool {
        fields.count == other.fields.count
            && fields.withUnsafeBufferPointer { own in
                other.fields.withUnsafeBufferPointer { own.isEmpty || own.baseAddress == $0.baseAddress }
            }
    }
}

extension HTTPHeaders: CustomReflectable {
    /// A mirror of the redacted text, so that `dump` and a debugger's print do not show secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["fields": description], displayStyle: .struct) }
}

extension HTTPHeaders.Field {
    /// The value to hand to URLSession and libcurl. Both leave a field out when its value has only blanks, so that becomes
    /// an empty value, which they send.
    package var wireValue: String { value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "" : value }
}

extension String {
    /// The value of a received field without blanks around it, and with a blank for each bare CR, LF and NUL in it, as
    /// RFC 9110 (5.5) and RFC 9112 (2.2) have it.
    package var receivedFieldValue: String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let isBreak = { (byte: UInt8) in byte == 0x0D || byte == 0x0A || byte == 0 }
        guard utf8.first.map(isBlank) == true || utf8.last.map(isBlank) == true || utf8.contains(where: isBreak) else {
            return self
        }
        let bytes = utf8.map { isBreak($0) ? 0x20 : $0 }
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}

extension StringProtocol {
    /// Whether a field may have this value. A tab is the one control character that it may contain (RFC 9110, 5.5).
    package var isFieldValue: Bool { utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 } }
}

extension String {
    /// Compares without regard to the case of ASCII letters, and without making a copy.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { left, right in
            left == right || (left ^ right == 0x20 && (0x61...0x7A).contains(left | 0x20))
        }
    }
}
