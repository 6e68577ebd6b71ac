extension ParameterValue {
    /// Reads all parameters, in the order of their names.
    static func members(of parameters: Parameters) throws(NetworkError) -> [Member] {
        do {
            return try members(of: parameters as [String: Any], depth: 0)
        } catch {
            throw .unencodable("parameter \(error.path.joined(separator: ".").debugDescription) \(error.reason)")
        }
    }

    private static func members(of dictionary: [String: Any], depth: Int) throws(Fault) -> [Member] {
        var members: [Member] = []
        members.reserveCapacity(dictionary.count)
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            do {
                members.append(Member(name: name, value: try ParameterValue(reading: value, depth: depth + 1)))
            } catch {
                throw error.inside(name)
            }
        }
        return members
    }

    private static func elements(of array: [Any], depth: Int) throws(Fault) -> [ParameterValue] {
        var elements: [ParameterValue] = []
        elements.reserveCapacity(array.count)
        for value in array {
            do {
                elements.append(try ParameterValue(reading: value, depth: depth + 1))
            } catch {
                throw error.inside(String(elements.count))
            }
        }
        return elements
    }

    private init(reading value: Any, depth: Int) throws(Fault) {
        guard depth <= Self.depthLimit else { throw Fault("is nested deeper than \(Self.depthLimit) levels") }
        if let scalar = try ParameterValue(scalar: value) {
            self = scalar
        } else if let optional = value as? any OptionalValue {
            self = .null
            guard let content = optional.content else { return }
            self = try ParameterValue(reading: content, depth: depth + 1)
        } else if let array = value as? [Any] {
            self = .array(try Self.elements(of: array, depth: depth))
        } else if let set = value as? Set<AnyHashable> {
            self = ParameterValue.array(try Self.elements(of: set.map(\.base), depth: depth)).sorted
        } else if let dictionary = value as? [String: Any] {
            self = .object(try Self.members(of: dictionary, depth: depth))
        } else if let encodable = value as? any Encodable {
            self = .encodable(encodable)
        } else if let raw = value as? any RawRepresentable {
            self = try ParameterValue(reading: raw.rawValue, depth: depth + 1)
        } else {
            throw Fault("is a \(type(of: value)), which cannot be encoded")
        }
    }
}

/// Finds the value in an optional that hides behind `Any`.
private protocol OptionalValue {
    var content: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var content: Any? { self }
}
