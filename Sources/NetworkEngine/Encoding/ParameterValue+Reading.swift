extension ParameterValue {
    /// Reads all parameters, in the order of their names.
    static func members(of parameters: Parameters) throws(NetworkError) -> [Member] {
        try members(of: parameters as [String: Any], at: "", depth: 0)
    }

    private static func members(
        of dictionary: [String: Any],
        at path: String,
        depth: Int
    ) throws(NetworkError) -> [Member] {
        try dictionary.sorted { $0.key < $1.key }.map { (name, value) throws(NetworkError) in
            let path = path.isEmpty ? name : "\(path).\(name)"
            return Member(name: name, value: try ParameterValue(reading: value, at: path, depth: depth + 1))
        }
    }

    private static func elements(of array: [Any], at path: String, depth: Int) throws(NetworkError) -> [ParameterValue]
    {
        try array.enumerated().map { (index, element) throws(NetworkError) in
            try ParameterValue(reading: element, at: "\(path).\(index)", depth: depth + 1)
        }
    }

    private init(reading value: Any, at path: String, depth: Int) throws(NetworkError) {
        guard depth <= Self.depthLimit else {
            throw .unencodable("parameter \(path.debugDescription) is nested deeper than \(Self.depthLimit) levels")
        }
        if let scalar = try ParameterValue(scalar: value, at: "parameter \(path.debugDescription)") {
            self = scalar
        } else if let optional = value as? any OptionalValue {
            self = .null
            guard let content = optional.content else { return }
            self = try ParameterValue(reading: content, at: path, depth: depth + 1)
        } else if let array = value as? [Any] {
            self = .array(try Self.elements(of: array, at: path, depth: depth))
        } else if let set = value as? Set<AnyHashable> {
            self = .array(try Self.elements(of: set.map(\.base), at: path, depth: depth)).sorted
        } else if let dictionary = value as? [String: Any] {
            self = .object(try Self.members(of: dictionary, at: path, depth: depth))
        } else if let encodable = value as? any Encodable {
            self = .encodable(encodable)
        } else if let raw = value as? any RawRepresentable {
            self = try ParameterValue(reading: raw.rawValue, at: path, depth: depth + 1)
        } else {
            throw .unencodable("parameter \(path.debugDescription) is a \(type(of: value)), which cannot be encoded")
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
