public import NetworkEngine

/// A file that goes with an operation, by the multipart request convention that most servers know.
///
/// ```swift
/// let photo = GraphQLUpload("variables.photo", .file(url), mimeType: "image/jpeg")
/// let user: Answer = try await client.execute(operation, uploads: [photo])
/// ```
public struct GraphQLUpload: Sendable {
    /// Where in the operation the file belongs, names and positions separated by dots: `variables.photos.0`. What is there
    /// becomes `null`, as the convention has it. Objects on the way are made; a list must be there, as long as it is to be.
    public var path: String
    public var provider: MultipartFormData.Provider
    /// The name the server sees; for a file, its own unless given.
    public var fileName: String?
    public var mimeType: String?

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
    /// The same operation with `null` wherever a file belongs; throws `.encoding` where there is no such place.
    func makingRoom(for uploads: [GraphQLUpload]) throws(NetworkError) -> GraphQLOperation {
        var operation = self
        var variables = GraphQLVariable.object(operation.variables ?? [:])
        for upload in uploads {
            let steps = upload.path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard steps.first == "variables", steps.count > 1, !steps.contains(""), variables.clear(steps.dropFirst())
            else {
                let reason = "the operation has no place for a file at \(upload.path.debugDescription)"
                throw NetworkError(kind: .encoding, reason: reason)
            }
        }
        if case .object(let members) = variables { operation.variables = members }
        return operation
    }
}

extension GraphQLVariable {
    /// Puts `null` at a place, making objects on the way where there is nothing; `false` where there is no such place.
    fileprivate mutating func clear(_ steps: ArraySlice<String>) -> Bool {
        guard let step = steps.first else {
            self = .null
            return true
        }
        switch self {
        case .list(var values):
            guard let index = Int(step), values.indices.contains(index) else { return false }
            guard values[index].clear(steps.dropFirst()) else { return false }
            self = .list(values)
            return true
        case .object(var members):
            guard members[step, default: .null].clear(steps.dropFirst()) else { return false }
            self = .object(members)
            return true
        // How long a list is to be, only the caller knows.
        case .null where Int(step) == nil:
            self = .object([:])
            return clear(steps)
        default: return false
        }
    }
}
