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
/// Files and streams are read while the form is sent, and not copied. The form has a length if every part has one.
public struct MultipartFormData: Sendable {
    /// The source of a part's bytes.
    public enum Provider: Sendable {
        /// Bytes in memory.
        case data(Data)
        /// A file, read while it is sent.
        case file(URL)
        /// A stream of pieces of data. The form is replayable only if the stream is.
        case stream(BodyStream)
        /// A value that is encoded as JSON when the request is built, by this encoder or by the configuration's.
        case json(any Encodable & Sendable, encoder: JSONEncoder? = nil)
    }

    /// The source of the part's bytes.
    public var provider: Provider
    /// The name of the field.
    public var name: String
    /// The file name for the server. A file part without one has the last component of the file's path.
    public var fileName: String?
    /// The content type; `nil` for that of the file name's extension, if the part has a file name, and for
    /// `application/json` if the part is a JSON value.
    public var mimeType: String?
    /// Further fields of the part's head, such as `Content-ID`. `Content-Disposition` and `Content-Type` are made of
    /// the other properties, and are refused here.
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
    /// A field of a form. It is sent in UTF-8 and without a content type, as browsers send it.
    public static func text(_ text: String, name: String) -> MultipartFormData {
        MultipartFormData(provider: .data(Data(text.utf8)), name: name)
    }

    /// A value as JSON, with the content type `application/json`.
    ///
    /// The value is encoded when the request is built, so that a list of parts does not throw. A value that cannot be
    /// encoded fails the call with an error of kind `.encoding` that names the part, before any I/O.
    ///
    /// - Parameter encoder: encodes the value; the configuration's encoder by default.
    public static func json(
        _ value: some Encodable & Sendable,
        name: String,
        encoder: JSONEncoder? = nil
    ) -> MultipartFormData {
        MultipartFormData(provider: .json(value, encoder: encoder), name: name)
    }
}
