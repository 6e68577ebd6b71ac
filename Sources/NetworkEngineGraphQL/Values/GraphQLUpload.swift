public import NetworkEngine

/// A file to send with an operation, following the GraphQL multipart request convention.
///
/// ```swift
/// let photo = GraphQLUpload("variables.photo", .file(url), mimeType: "image/jpeg")
/// let user: Answer = try await client.execute(operation, uploads: [photo])
/// ```
public struct GraphQLUpload: Sendable {
    /// The path of the file in the operation: names and list indices separated by dots, like `variables.photos.0`.
    ///
    /// The value at the path is replaced with `null`, as the convention requires. Missing objects are created. A list
    /// must exist and have its full length.
    public var path: String
    /// The source of the file's bytes.
    public var provider: MultipartFormData.Provider
    /// The file name for the server; for `.file`, the file's name by default.
    public var fileName: String?
    /// The content type; `nil` to derive it from the file name's extension.
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

extension GraphQLUpload: Hashable {
    /// Compares the paths and names, but not the bytes.
    public static func == (one: GraphQLUpload, other: GraphQLUpload) -> Bool {
        one.path == other.path && one.fileName == other.fileName && one.mimeType == other.mimeType
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
