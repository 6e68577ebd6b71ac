/// An ordered list of header fields, with case-insensitive names that can occur more than once.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"] = "text/plain"             // replaces
/// headers.add("a=1", for: "Set-Cookie")        // keeps what is there
/// ```
/// `description` redacts the values of secret headers. In other values it redacts tokens, and the query values and
/// fragments of URLs.
public struct HTTPHeaders: Hashable, Sendable, Sequence, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// One header line.
    public struct Field: Hashable, Sendable {
        /// The name as written. Comparisons ignore its case.
        public var name: String
        /// The value. In a request, a tab is the only control character allowed in it.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Compares names case-insensitively.
        public static func == (left: Self, right: Self) -> Bool {
            left.value == right.value && left.name.equalsIgnoringASCIICase(right.name)
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name.lowercased())
            hasher.combine(value)
        }
    }

    private var fields: [Field]
    /// The fields that are secret despite their names. Ignored by equality.
    var secrets: RequestSecrets?

    /// Creates headers without fields.
    public init() { fields = [] }

    /// Creates headers from fields, keeping their order and duplicates.
    public init(_ fields: some Sequence<Field>) { self.fields = Array(fields) }

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0, value: $1) }
    }

    /// Creates headers from a dictionary, sorted by name for a stable order.
    public init(_ dictionary: [String: String]) {
        fields = dictionary.sorted(byText: { $0.key }).map { Field(name: $0.key, value: $0.value) }
    }

    /// Whether the headers have no fields.
    public var isEmpty: Bool { fields.isEmpty }
    /// The number of fields. Fields with the same name count separately.
    public var count: Int { fields.count }

    /// The value for a name. Multiple values are joined by `", "`. Setting a value replaces all of them; setting `nil`
    /// removes them.
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
            let rest = fields.indices.reversed().prefix { $0 > first }
            for index in rest where fields[index].name.equalsIgnoringASCIICase(name) { fields.remove(at: index) }
        }
    }

    /// Appends a field, even if one with this name exists.
    public mutating func add(_ value: String, for name: String) {
        fields.append(Field(name: name, value: value))
    }

    /// All values for a name, in order.
    public func values(for name: String) -> [String] {
        fields.compactMap { $0.name.equalsIgnoringASCIICase(name) ? $0.value : nil }
    }

    /// Returns whether a field with this name exists, ignoring case.
    public func contains(_ name: String) -> Bool {
        fields.contains { $0.name.equalsIgnoringASCIICase(name) }
    }

    func contains(_ field: Field) -> Bool { fields.contains(field) }

    /// Sets all fields of other headers, replacing fields with the same names.
    public mutating func merge(_ other: HTTPHeaders) {
        secrets = secrets?.joined(with: other.secrets) ?? other.secrets
        if fields.isEmpty { return fields = other.fields }
        fields.removeAll { other.contains($0.name) }
        fields.append(contentsOf: other.fields)
    }

    /// Returns these headers merged with others, which replace fields with the same names.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Removes all fields with names that satisfy the condition.
    public mutating func removeAll(where shouldRemove: (_ name: String) -> Bool) {
        fields.removeAll { shouldRemove($0.name) }
    }

    /// Removes all fields that match a name and value in other headers.
    mutating func removeAll(in other: HTTPHeaders) { fields.removeAll { other.contains($0) } }

    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    public static func == (left: Self, right: Self) -> Bool { left.fields == right.fields }

    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

    public var description: String { fields.map { $0.line(hiding: secrets) }.joined(separator: "\n") }

    /// Whether both share their storage, and therefore have the same fields.
    func isIdentical(to other: HTTPHeaders) -> Bool {
        fields.count == other.fields.count
            && fields.withUnsafeBufferPointer { own in
                other.fields.withUnsafeBufferPointer { own.isEmpty || own.baseAddress == $0.baseAddress }
            }
    }
}

extension HTTPHeaders: CustomReflectable {
    /// A mirror of the redacted text, so that `dump` and a debugger's print don't reveal secrets either.
    public var customMirror: Mirror { Mirror(self, children: ["fields": description], displayStyle: .struct) }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
    /// The name and the value, as in the headers' description. The value of a secret header is redacted.
    public var description: String { line(hiding: nil) }

    public var customMirror: Mirror { Mirror(self, children: ["field": description], displayStyle: .struct) }

    /// The name, and the value for display.
    fileprivate func line(hiding secrets: RequestSecrets?) -> String {
        let isSecret = Redaction.isSecret(header: name) || secrets?.hides(header: name) == true
        let shown = isSecret ? Redaction.placeholder : Redaction.describe(value: value, of: name, hiding: secrets)
        return "\(name): \(shown)"
    }
}

extension HTTPHeaders.Field {
    /// The value to pass to URLSession and libcurl.
    ///
    /// Both omit a field with a blank value, but send an empty one.
    package var wireValue: String { value.utf8.allSatisfy(\.isBlank) ? "" : value }
}

extension String {
    /// The value of a received field without surrounding blanks, and with a blank instead of each bare CR, LF and NUL.
    ///
    /// See RFC 9110, 5.5 and RFC 9112, 2.2.
    var receivedFieldValue: String {
        let isBreak = { (byte: UInt8) in byte == 0x0D || byte == 0x0A || byte == 0 }
        guard utf8.first?.isBlank == true || utf8.last?.isBlank == true || utf8.contains(where: isBreak) else {
            return self
        }
        let bytes = utf8.map { isBreak($0) ? 0x20 : $0 }
        return String(decoding: bytes[...].trimmingBlanks, as: UTF8.self)
    }
}
