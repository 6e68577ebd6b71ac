extension NetworkError {
    static func unencodable(_ reason: String, underlying: (any Error)? = nil) -> NetworkError {
        NetworkError(kind: .encoding, reason: reason, underlying: underlying)
    }

    /// An `.encoding` error for what an `encode(to:)` threw, that names where without showing the value.
    static func unencodable(_ error: any Error) -> NetworkError {
        switch error {
        case let error as NetworkError: return error
        case let EncodingError.invalidValue(value, context):
            let number = value as? any BinaryFloatingPoint
            let isNotFinite = number?.isFinite == false
            let fault = isNotFinite ? "is not a finite number" : "is a \(type(of: value)) that cannot be encoded"
            // The value itself would be printed with the error.
            let shown: Any = number == nil ? String(describing: type(of: value)) : value
            return unencodable(
                "\(context.codingPath.words) \(fault)",
                underlying: EncodingError.invalidValue(shown, context)
            )
        default: return unencodable("a value's own encoding failed", underlying: error)
        }
    }
}

extension [any CodingKey] {
    /// The place in words, for a reason.
    var words: String {
        if isEmpty { return "the value" }
        let path = map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        return "the value at \(path.debugDescription)"
    }
}
