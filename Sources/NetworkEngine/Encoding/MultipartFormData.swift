public import Foundation

/// One part of a `multipart/form-data` body: a field or a file.
///
/// ```swift
/// let parts = [
///     MultipartFormData(provider: .data(Data("Ann".utf8)), name: "name"),
///     MultipartFormData(provider: .file(photo), name: "avatar"),
/// ]
/// ```
/// A form is not copied: files and streams are read while it is sent. Its length is announced when that of every part is
/// known.
public struct MultipartFormData: Sendable {
    /// Where a part's bytes come from.
    public enum Provider: Sendable {
        case data(Data)
        /// A file, read while it is sent.
        case file(URL)
        /// Bytes that come piece by piece. One that can be read once makes the whole form one that is sent once.
        case stream(BodyStream)
    }

    public var provider: Provider
    /// The name of the field.
    public var name: String
    /// The name the server sees; for a file part without one, the last component of the file's path.
    public var fileName: String?
    /// The content type; for a part with a file name, `nil` takes the one that goes with its extension.
    public var mimeType: String?

    public init(provider: Provider, name: String, fileName: String? = nil, mimeType: String? = nil) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
    }
}
