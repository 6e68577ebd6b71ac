import NetworkEngineJSON

/// Converts an encodable value to a tree of parameter values.
struct ParameterValueEncoder: Encoder {
    private let node: Node
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Reads a value. An error thrown by its `encode(to:)` becomes an `.encoding` error.
    ///
    /// - Parameter path: the path to the value, for error reasons; empty at the top level.
    static func read(_ value: any Encodable, at path: String) throws(NetworkError) -> ParameterValue {
        let node = Node()
        do {
            try node.read(value, at: path.isEmpty ? [] : [AnyCodingKey(path)])
        } catch {
            throw .unencodable(error)
        }
        return node.value
    }

    fileprivate init(node: Node, codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedParameters(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedParameters(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleParameter(node: node, codingPath: codingPath)
    }
}

/// A node of the tree, shared by the containers that fill it.
private final class Node {
    private enum Content {
        case nothing
        case leaf(ParameterValue)
        case array([Node])
        case object(Members)
    }

    /// The members of an object, in the order of their first occurrence.
    private struct Members {
        private(set) var list: [(name: String, node: Node)] = []
        private var indices: [String: Int] = [:]

        subscript(name: String) -> Node? { indices[name].map { list[$0].node } }

        mutating func set(_ node: Node, for name: String) {
            if let index = indices[name] {
                list[index].node = node
            } else {
                indices[name] = list.count
                list.append((name, node))
            }
        }
    }

    private var content = Content.nothing

    var value: ParameterValue {
        switch content {
        case .nothing: .object([])
        case .leaf(let value): value
        case .array(let nodes): .array(nodes.map(\.value))
        case .object(let members): .object(members.list.map { .init(name: $0.name, value: $0.node.value) })
        }
    }

    var count: Int {
        if case .array(let nodes) = content { nodes.count } else { 0 }
    }

    /// A value with another shape is replaced: the last container of an `encode(to:)` wins.
    func element() -> Node {
        let node = Node()
        if case .array(var nodes) = content {
            content = .nothing
            nodes.append(node)
            content = .array(nodes)
        } else {
            content = .array([node])
        }
        return node
    }

    /// A new member. Like in a `JSONEncoder`, it replaces one with the same name.
    func member(_ name: String) -> Node {
        let node = Node()
        var members = Members()
        if case .object(let current) = content { members = current }
        content = .nothing
        members.set(node, for: name)
        content = .object(members)
        return node
    }

    /// The member with a name for a nested container. Containers with the same name share their position.
    func sharedMember(_ name: String) -> Node {
        if case .object(let members) = content, let node = members[name] { return node }
        return member(name)
    }

    func become(_ value: ParameterValue) { content = .leaf(value) }
    func becomeObject() { if case .nothing = content { content = .object(Members()) } }
    func becomeArray() { if case .nothing = content { content = .array([]) } }

    func read(_ value: some Encodable, at path: [any CodingKey]) throws {
        guard path.count <= ParameterValue.depthLimit else {
            throw NetworkError.unencodable("\(path.words) is nested deeper than \(ParameterValue.depthLimit) levels")
        }
        do throws(ParameterValue.Fault) {
            if let scalar = try ParameterValue(scalar: value) { return become(scalar) }
        } catch {
            throw NetworkError.unencodable("\(path.words) \(error.reason)")
        }
        try value.encode(to: ParameterValueEncoder(node: self, codingPath: path))
        // The order of a dictionary varies between runs.
        if let size = (value as? any Unordered)?.groupSize { become(self.value.sorted(inGroupsOf: size)) }
    }
}

private protocol Unordered {
    /// The number of elements that belong together if the value is encoded as a list.
    var groupSize: Int { get }
}

extension Dictionary: Unordered {
    // Keys that are not strings or integers are encoded in a list, each before its value.
    fileprivate var groupSize: Int { 2 }
}

extension Set: Unordered {
    fileprivate var groupSize: Int { 1 }
}

private struct KeyedParameters<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    let codingPath: [any CodingKey]

    init(node: Node, codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
        node.becomeObject()
    }

    func encodeNil(forKey key: Key) { node.member(key.stringValue).become(.null) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try write(value, key) }

    func write(_ value: some Encodable, _ key: Key) throws {
        try node.member(key.stringValue).read(value, at: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(of: node.sharedMember(key.stringValue), key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(of: node.sharedMember(key.stringValue), key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(of: node.member("super"), AnyCodingKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(of: node.member(key.stringValue), key) }

    private func encoder(of member: Node, _ key: any CodingKey) -> ParameterValueEncoder {
        ParameterValueEncoder(node: member, codingPath: codingPath + [key])
    }

    // The default implementations omit `nil`, so the nil style would not apply.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try encode(value, forKey: key) }
}

private struct UnkeyedParameters: UnkeyedEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    init(node: Node, codingPath: [any CodingKey]) {
        self.node = node
        self.codingPath = codingPath
        node.becomeArray()
    }

    func encodeNil() { node.element().become(.null) }

    func encode<T: Encodable>(_ value: T) throws { try write(value) }

    func write(_ value: some Encodable) throws {
        let path = codingPath + [AnyCodingKey(String(count))]
        try node.element().read(value, at: path)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        elementEncoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { elementEncoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { elementEncoder() }

    private func elementEncoder() -> ParameterValueEncoder {
        let path = codingPath + [AnyCodingKey(String(count))]
        return ParameterValueEncoder(node: node.element(), codingPath: path)
    }
}

private struct SingleParameter: SingleValueEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]

    func encodeNil() { node.become(.null) }
    func encode<T: Encodable>(_ value: T) throws { try node.read(value, at: codingPath) }
}

// The protocols' own implementations throw.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension KeyedParameters {
    func encode(_ value: Int128, forKey key: Key) throws { try write(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try write(value, key) }
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try write(value, key) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UnkeyedParameters {
    func encode(_ value: Int128) throws { try write(value) }
    func encode(_ value: UInt128) throws { try write(value) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension SingleParameter {
    func encode(_ value: Int128) throws { try node.read(value, at: codingPath) }
    func encode(_ value: UInt128) throws { try node.read(value, at: codingPath) }
}
