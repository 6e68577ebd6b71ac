public import Foundation

extension HTTPClient {
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
    ) async throws(NetworkError) -> Value {
        try await upload(endpoint, .uploadMultipart(parts), .json, progress)
    }

    /// Uploads a form and ignores the body of the response.
    @concurrent
    @discardableResult
    public func upload(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) -> UndecodedResponse {
        try await upload(endpoint, .uploadMultipart(parts), .nothing, progress)
        return UndecodedResponse()
    }

    /// Uploads a form and ignores the body of the response, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func upload(
        _ endpoint: Endpoint,
        multipart parts: [MultipartFormData],
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) {
        try await upload(endpoint, .uploadMultipart(parts), .nothing, progress)
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
    ) async throws(NetworkError) -> Value {
        try await upload(endpoint, .uploadFile(file), .json, progress)
    }

    /// Uploads a file as the body and ignores the body of the response.
    @concurrent
    @discardableResult
    public func upload(
        _ endpoint: Endpoint,
        file: URL,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) -> UndecodedResponse {
        try await upload(endpoint, .uploadFile(file), .nothing, progress)
        return UndecodedResponse()
    }

    /// Uploads a file as the body and ignores the body of the response, where the result type is `Void`.
    @concurrent
    @_disfavoredOverload
    public func upload(
        _ endpoint: Endpoint,
        file: URL,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(NetworkError) {
        try await upload(endpoint, .uploadFile(file), .nothing, progress)
    }

    func uploadTarget(_ endpoint: Endpoint, _ task: NetworkTask) -> ClientTarget {
        var target = ClientTarget(endpoint, below: baseURL)
        (target.task, target.jsonEncoder) = (task, engine.configuration.encoder)
        return target
    }

    private func upload<Value: Sendable>(
        _ endpoint: Endpoint,
        _ task: NetworkTask,
        _ decoding: ResponseDecoding<Value>,
        _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(NetworkError) -> Value {
        let target = uploadTarget(endpoint, task)
        var options = CallOptions(target: target, use: .upload, progress: progress)
        let request = try options.request(for: target, by: engine.builder.rules)
        return try await engine.value(of: request, options, decoding: decoding)
    }
}

extension HTTPClient {
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
    ) async throws(NetworkError) -> URL {
        try await downloadCall(endpoint, destination, resuming, progress).file()
    }

    func downloadCall(
        _ endpoint: Endpoint,
        _ destination: DownloadDestination,
        _ resuming: ResumeData?,
        _ progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) -> DownloadCall {
        var target = ClientTarget(endpoint, below: baseURL)
        target.task = .downloadDestination(destination)
        return DownloadCall(of: target, to: destination, on: engine, resuming: resuming, progress: progress) {
            [target] builder, options throws(NetworkError) in try options.request(for: target, by: builder.rules)
        }
    }
}
