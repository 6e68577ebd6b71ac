public import NetworkEngine

/// Resumable uploads, over any transport.
extension NetworkCalling {
    /// Uploads a request's file or data, and resumes an interrupted upload.
    ///
    /// ```swift
    /// let place = folder.appendingPathComponent("video.upload")
    /// let video: Video = try await client.upload(.post("/videos").file(file), resuming: .file(at: place))
    /// ```
    /// The state records what the server has received. A call that finds a state continues from there, in this process
    /// or a later one. Within a call, the upload continues after lost connections and statuses such as 503.
    ///
    /// The server must support tus 1.0, or *Resumable Uploads for HTTP* by the IETF. Each of the upload's requests is a
    /// call with the usual interceptors, timeout and deadline.
    ///
    /// - Parameters:
    ///   - request: a target or endpoint with a file or data as its body. Its URL creates uploads.
    ///   - store: where the state is kept.
    ///   - progress: receives the number of bytes sent out of the whole content, on an arbitrary thread.
    /// - Returns: the decoded body of the response to the last bytes. If the response was lost, the call throws
    ///   `UploadFailure.responseLost`.
    public func upload<Value: Decodable & Sendable>(
        _ request: Request,
        resuming store: UploadStateStore,
        as type: Value.Type = Value.self,
        options: ResumableUploadOptions = ResumableUploadOptions(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> Value {
        let upload = ResumableUpload(request, on: self, resuming: store, options: options, progress: progress)
        return try await ended(upload) { ending throws(NetworkError) in
            guard let answer = ending.answer else {
                throw NetworkError(
                    kind: .invalidResponse, reason: "the server has all bytes, and its response was lost",
                    underlying: UploadFailure.responseLost)
            }
            return try answer.decoded(as: type, in: upload.observed)
        }
    }

    /// Uploads a request's file or data, and resumes an interrupted upload.
    ///
    /// The call returns when the server has all bytes, even if the server's response was lost.
    @discardableResult
    public func upload(
        _ request: Request,
        resuming store: UploadStateStore,
        options: ResumableUploadOptions = ResumableUploadOptions(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(Failure) -> FinishedUpload {
        let upload = ResumableUpload(request, on: self, resuming: store, options: options, progress: progress)
        return try await ended(upload) { ending throws(NetworkError) in
            FinishedUpload(address: ending.address, response: ending.answer?.response)
        }
    }

    /// Removes an abandoned upload from the server and from its store.
    ///
    /// ```swift
    /// try await client.discardUpload(.post("/videos"), resuming: .file(at: place))
    /// ```
    /// The request needs no body, only the upload's method and URL. Without a state nothing is sent. If the server no
    /// longer has the upload, or does not let clients remove uploads, only the state is removed.
    ///
    /// A response with content and without the protocol's fields, such as a proxy's page, confirms nothing: the call
    /// fails with an `.invalidResponse` error, and the state remains.
    public func discardUpload(
        _ request: Request,
        resuming store: UploadStateStore,
        options: ResumableUploadOptions = ResumableUploadOptions()
    ) async throws(Failure) {
        let upload = ResumableUpload(request, on: self, resuming: store, options: options, progress: nil)
        do throws(NetworkError) {
            try await upload.discard()
            upload.observed?.end(nil)
        } catch {
            upload.observed?.end(error)
            throw mapped(error)
        }
    }

    /// Runs an upload, and notifies observers when it ends.
    private func ended<Value: Sendable>(
        _ upload: ResumableUpload<Self>,
        _ value: (ResumableUpload<Self>.Ending) throws(NetworkError) -> Value
    ) async throws(Failure) -> Value {
        do throws(NetworkError) {
            let value = try value(try await upload.run())
            upload.observed?.end(nil)
            return value
        } catch {
            upload.observed?.end(error)
            throw mapped(error)
        }
    }
}
