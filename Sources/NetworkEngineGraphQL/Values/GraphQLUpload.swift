public import NetworkEngine

/// A file that goes with an operation, by the multipart request convention that most servers know.
///
/// ```swift
/// let photo = GraphQLUpload("variables.photo", .file(url), mimeType: "image/jpeg")
/// let user: Answer = try await client.execute(operation, uploads: [photo])
/// ```
public struct GraphQLUpload: Sendable {
    /// Where in the operation the file belongs, names and positions separated by dots: `variables.photos.0`. What is there
    /// becomes `null`, as the convention has it.
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
    /// The same operation with `null` wherever a file belongs.
    func makingRoom(for uploads: [GraphQLUpload]) -> GraphQLOperation {
        var operation = self
        var variables = GraphQLVariable.object(operation.variables ?? [:])
        for upload in uploads {
            let steps = upload.path.split(separator: ".").map(String.init)
            if steps.first == "variables" { variables.clear(steps.dropFirst()) }
        }
        if case .object(let members) = variables { operation.variables = members }
        return operation
    }
}

extension GraphQLVariable {
    /// Puts `null` at a place, making objects on the way where there is nothing.
    fileprivate mutating func clear(_ steps: ArraySlice<String>) {
        guard let step = steps.first else {
            self = .null
            return
        }
        switch self {
        case .list(var values):
            guard let index = Int(step), values.indices.contains(index) else { return }
            values[index].clear(steps.dropFirst())
            self = .list(values)
        case .object(var members):
            members[step, default: .object([:])].clear(steps.dropFirst())
            self = .object(members)
        default: self = .object([step: .null])
        }
    }
}
