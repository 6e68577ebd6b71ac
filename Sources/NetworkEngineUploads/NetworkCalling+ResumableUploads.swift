public import NetworkEngine

/// Uploads that resume, over any transport.
extension NetworkCalling {
    /// Uploads the file or the data of a request, and resumes an upload that was interrupted.
    ///
    /// ```swift
    /// let place = folder.appendingPathComponent("video.upload")
    /// let video: Video = try await client.upload(.post("/videos").file(file), resuming: .file(at: place))
    /// ```
    /// The state tells what the server has. A call that finds a state continues there, in this process or a later one.
    /// Within a call, the upload continues after lost connections and statuses such as 503.
    ///
    /// The server speaks tus 1.0, or *Resumable Uploads for HTTP* of the IETF. Each request of the upload is a call
    /// with the interceptors, the timeout and the deadline of others.
    ///
    /// - Parameters:
    ///   - request: a target or endpoint with a file or data as its body. Its address is where uploads begin.
    ///   - store: where the state is kept.
    ///   - progress: receives the number of bytes that were sent, of the whole content, on an arbitrary thread.
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

    /// Uploads the file or the data of a request, and resumes an upload that was interrupted.
    ///
    /// The server's response may have been lost: the call returns when the server has all bytes.
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

    /// Removes an upload that is not continued, from the server and from its store.
    ///
    /// ```swift
    /// try await client.discardUpload(.post("/videos"), resuming: .file(at: place))
    /// ```
    /// The request needs no body, only the method and the address of the upload's. Without a state nothing is sent. If
    /// the server does not know the upload any more, or lets no client remove one, only the state is removed.
    ///
    /// A response with content and without fields of the protocol, such as the page of a proxy, confirms nothing: the
    /// call fails with an error of kind `.invalidResponse`, and the state remains.
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

    /// Runs an upload, and tells observers its end.
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
