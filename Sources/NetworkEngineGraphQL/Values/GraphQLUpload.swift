public import NetworkEngine

/// A file that is sent with an operation, by the GraphQL multipart request convention.
///
/// ```swift
/// let photo = GraphQLUpload("variables.photo", .file(url), mimeType: "image/jpeg")
/// let user: Answer = try await client.execute(operation, uploads: [photo])
/// ```
public struct GraphQLUpload: Sendable {
    /// The path of the file in the operation: names and list indices separated by dots, like `variables.photos.0`.
    ///
    /// The value at the path becomes `null`, as the convention requires. Missing objects are created. A list must exist
    /// and have its full length.
    public var path: String
    /// The source of the file's bytes.
    public var provider: MultipartFormData.Provider
    /// The file name for the server; for `.file`, the name of the file by default.
    public var fileName: String?
    /// The content type; `nil` for that of the file name's extension.
    public var mimeType: String?

    /// Creates an upload.
    public init(
        _ path: String,
        _ provider: MultipartFormData.Provider,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        self.path = path
        self.provider = provider
        self.fileName = fileName
        self.mimeType = mimeType
    }
}

extension GraphQLOperation {
    /// Returns the operation with `null` at the path of each file. Throws `.encoding` for an invalid path.
    func replacingWithNull(_ uploads: [GraphQLUpload]) throws(NetworkError) -> GraphQLOperation {
        var operation = self
        var variables = GraphQLVariable.object(operation.variables ?? [:])
        for upload in uploads {
            let steps = upload.path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard steps.first == "variables", steps.count > 1, !steps.contains(""), variables.setNull(steps.dropFirst())
            else {
                let reason = "the operation has no value at the upload's path \(upload.path.debugDescription)"
                throw NetworkError(kind: .encoding, reason: reason)
            }
        }
        if case .object(let members) = variables { operation.variables = members }
        return operation
    }
}

extension GraphQLVariable {
    /// Sets the value at a path to `null` and creates missing objects. Returns `false` for an invalid path.
    fileprivate mutating func setNull(_ steps: ArraySlice<String>) -> Bool {
        guard let step = steps.first else {
            self = .null
            return true
        }
        switch self {
        case .list(var values):
            guard let index = Int(step), values.indices.contains(index) else { return false }
            guard values[index].setNull(steps.dropFirst()) else { return false }
            self = .list(values)
            return true
        case .object(var members):
            guard members[step, default: .null].setNull(steps.dropFirst()) else { return false }
            self = .object(members)
            return true
        // Only the caller knows the length of a list.
        case .null where Int(step) == nil:
            self = .object([:])
            return setNull(steps)
        default: return false
        }
    }
}
