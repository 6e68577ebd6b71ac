import FastJSON
import Foundation

extension DecodingError {
    /// What was wrong and where, without values and without keys from the body.
    func explanation(of body: Data) -> String {
        switch self {
        case .keyNotFound(let key, let context):
            (key.isShown(body) ? "no value for key \(key.stringValue.debugDescription)" : "no value for a key")
                + Self.place(context)
        case .valueNotFound(let type, let context): "null where \(type) was expected" + Self.place(context)
        case .typeMismatch(let type, let context): "not a \(type)" + Self.place(context)
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            // The platform calls a number that does not fit its type invalid JSON, and does not say where it is.
            body.isJSON ? "a value or number that does not fit its type" : "the body is not valid JSON"
        case .dataCorrupted(let context): "an invalid value" + Self.place(context)
        @unknown default: "the body could not be decoded"
        }
    }

    private static func place(_ context: Context) -> String {
        let path = context.codingPath.reduce(into: "") { path, key in
            if let index = key.elementIndex {
                path += "[\(index)]"
            } else if key.isDeclared {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            } else {
                path += "[\(HiddenKey.text)]"
            }
        }
        return path.isEmpty ? " at the top level" : " at \(path)"
    }
}
