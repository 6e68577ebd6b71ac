extension DecodingError {
    /// What was wrong and where, without values from the body.
    var explanation: String {
        switch self {
        case .keyNotFound(let key, let context):
            "no value for key \(key.stringValue.debugDescription)" + Self.place(context)
        case .valueNotFound(let type, let context): "null where \(type) was expected" + Self.place(context)
        case .typeMismatch(let type, let context): "not a \(type)" + Self.place(context)
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "the body is not valid JSON"
        case .dataCorrupted(let context): "an invalid value" + Self.place(context)
        @unknown default: "the body could not be decoded"
        }
    }

    private static func place(_ context: Context) -> String {
        let path = context.codingPath.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
        return path.isEmpty ? " at the top level" : " at \(path)"
    }
}
