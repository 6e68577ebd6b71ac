public import Foundation

/// One part of a `multipart/form-data` body: a field or a file.
///
/// ```swift
/// let parts = [
///     .text("Ann", name: "name"),
///     .json(Settings(isPublic: true), name: "settings"),
///     MultipartFormData(provider: .file(photo), name: "avatar"),
/// ]
/// ```
/// Files and streams are read while the form is sent, and not copied. The form's length is known if every part's is.
public struct MultipartFormData: Sendable {
    /// The source of a part's bytes.
    public enum Provider: Sendable {
        /// Bytes in memory.
        case data(Data)
        /// A file, read while it is sent.
        case file(URL)
        /// A stream of data chunks. The form is replayable only if the stream is.
        case stream(BodyStream)
        /// A value that is encoded as JSON when the request is built, with this encoder or the configuration's.
        case json(any Encodable & Sendable, encoder: JSONEncoder? = nil)
    }

    /// The source of the part's bytes.
    public var provider: Provider
    /// The name of the field.
    public var name: String
    /// The file name for the server. By default a file part uses the last component of the file's path.
    public var fileName: String?
    /// The content type. If `nil`, it is derived from the file name's extension if the part has a file name, and is
    /// `application/json` for a JSON value.
    public var mimeType: String?
    /// Additional header fields of the part, such as `Content-ID`. `Content-Disposition` and `Content-Type` are derived
    /// from the other properties and are rejected here.
    public var headers = HTTPHeaders()

    /// Creates a part: a file if it has a file name or its bytes come from a file, otherwise a field.
    public init(
        provider: Provider,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil,
        headers: HTTPHeaders = [:]
    ) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
        self.headers = headers
    }
}

extension MultipartFormData {
    /// A form field. As in browsers, it is sent in UTF-8 and without a content type.
    public static func text(_ text: String, name: String) -> MultipartFormData {
        MultipartFormData(provider: .data(Data(text.utf8)), name: name)
    }

    /// A value as JSON, with the content type `application/json`.
    ///
    /// The value is encoded when the request is built, so that creating the parts does not throw. If it cannot be
    /// encoded, the call fails with an error of kind `.encoding` that identifies the part, before any I/O.
    ///
    /// - Parameter encoder: encodes the value; by default the configuration's encoder.
    public static func json(
        _ value: some Encodable & Sendable,
        name: String,
        encoder: JSONEncoder? = nil
    ) -> MultipartFormData {
        MultipartFormData(provider: .json(value, encoder: encoder), name: name)
    }
}
