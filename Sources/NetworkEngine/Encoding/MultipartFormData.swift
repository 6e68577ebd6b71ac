public import Foundation

/// One part of a `multipart/form-data` body: a field or a file.
///
/// ```swift
/// let parts = [
///     MultipartFormData(provider: .data(Data("Ann".utf8)), name: "name"),
///     MultipartFormData(provider: .file(photo), name: "avatar"),
/// ]
/// ```
/// Files and streams are read while the form is sent, and not copied. The form has a length if every part has one.
public struct MultipartFormData: Sendable {
    /// The source of a part's bytes.
    public enum Provider: Sendable {
        case data(Data)
        /// A file, read while it is sent.
        case file(URL)
        /// A stream of pieces of data. The form is replayable only if the stream is.
        case stream(BodyStream)
    }

    public var provider: Provider
    /// The name of the field.
    public var name: String
    /// The file name for the server. A file part without one has the last component of the file's path.
    public var fileName: String?
    /// The content type; `nil` for that of the file name's extension, if the part has a file name.
    public var mimeType: String?

    public init(provider: Provider, name: String, fileName: String? = nil, mimeType: String? = nil) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
    }
}
