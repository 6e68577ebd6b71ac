// Written by .ci/mapped-errors from HTTPClient+Transfers.swift. Change that file.
public import Foundation

extension MappedHTTPClient {
    /// Uploads a form and returns the decoded body of the response.
    ///
    /// ```swift
    /// let photo = MultipartFormData(provider: .file(url), name: "photo")
    /// let user: User = try await client.upload(.post("/users"), multipart: [.text("Ada", name: "name"), photo])
    /// ```
    /// - Parameter progress: receives the number of bytes sent, not the bytes of the response.
    @concurrent
    public func upload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in
            try await client.upload(endpoint, multipart: parts, as: type, progress: progress)
        }
    }

    /// Uploads a form and ignores the body of the response.
    @concurrent
    @discardableResult
    public func upload(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> UndecodedResponse {
        try await mapper.mapping { () throws(NetworkError) -> Void in
            try await client.upload(endpoint, multipart: parts, progress: progress)
        }
        return UndecodedResponse()
    }

    /// Uploads a form and ignores the body of the response, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func upload(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) {
        try await mapper.mapping { () throws(NetworkError) -> Void in
            try await client.upload(endpoint, multipart: parts, progress: progress)
        }
    }

    /// Uploads a file as the body and returns the decoded body of the response.
    ///
    /// Sets the content type of the file's extension unless the endpoint has one.
    ///
    /// - Parameter progress: receives the number of bytes sent, not the bytes of the response.
    @concurrent
    public func upload<Value: Decodable & Sendable>(
        _ endpoint: Endpoint,
        file: URL,
        as type: Value.Type = Value.self,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Value {
        try await mapper.mapping { () throws(NetworkError) in
            try await client.upload(endpoint, file: file, as: type, progress: progress)
        }
    }

    /// Uploads a file as the body and ignores the body of the response.
    @concurrent
    @discardableResult
    public func upload(
        _ endpoint: Endpoint,
        file: URL,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> UndecodedResponse {
        try await mapper.mapping { () throws(NetworkError) -> Void in
            try await client.upload(endpoint, file: file, progress: progress)
        }
        return UndecodedResponse()
    }

    /// Uploads a file as the body and ignores the body of the response, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func upload(
        _ endpoint: Endpoint,
        file: URL,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) {
        try await mapper.mapping { () throws(NetworkError) -> Void in
            try await client.upload(endpoint, file: file, progress: progress)
        }
    }

    /// Downloads the body of a successful response to a destination, a temporary file by default.
    ///
    /// When a connection is lost, the next attempt resumes the download if the server supports that.
    ///
    /// - Parameters:
    ///   - resuming: resume data of an earlier download of the same endpoint. It stays valid if this download fails.
    ///   - progress: receives the number of bytes received, not the bytes of the request.
    /// - Returns: the URL of the complete file. A failed download leaves no file there.
    @concurrent
    public func download(
        _ endpoint: Endpoint,
        to destination: DownloadDestination = .temporary,
        resuming: ResumeData? = nil,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> URL {
        try await mapper.mapping { () throws(NetworkError) in
            try await client.download(endpoint, to: destination, resuming: resuming, progress: progress)
        }
    }
}
