package import Foundation

extension HTTPRequest {
    /// Returns the request with a form as its body.
    package func adding(
        multipart parts: [MultipartFormData],
        jsonEncoder: JSONEncoder
    ) throws(NetworkError) -> HTTPRequest {
        let multipart = try MultipartEncoder(jsonEncoder: jsonEncoder).encode(parts)
        return try adding(body: multipart.content, contentType: multipart.contentType)
    }

    /// Returns the request with a file as its body.
    ///
    /// Throws `.invalidRequest` if the file cannot be read.
    package func adding(file: URL) throws(NetworkError) -> HTTPRequest {
        guard file.isReadableFile else {
            let reason = "the file to upload, \(file.path), does not exist, is not a file or is not readable"
            throw NetworkError(kind: .invalidRequest, reason: reason, request: self)
        }
        return try adding(body: .file(file), contentType: MediaType.forFile(named: file.lastPathComponent))
    }
}

extension URL {
    fileprivate var isReadableFile: Bool {
        let isRegular = try? resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
        return isFileURL && isRegular == true && FileManager.default.isReadableFile(atPath: path)
    }
}
