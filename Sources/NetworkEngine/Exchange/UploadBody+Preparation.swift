import Foundation

extension UploadBody {
    /// Prepares a request's body for sending; `nil` for an empty body.
    ///
    /// Body errors are detected here, before any I/O: the platform would send an empty body instead.
    package static func preparing(_ request: HTTPRequest, context: TransportContext) async throws -> UploadBody? {
        do {
            let body: UploadBody? =
                switch request.body {
                case .absent: nil
                case .data(let data): UploadBody(.data(data))
                case .file(let url): UploadBody(.file(try BodyFile.reading(url)))
                case .stream(let stream): try await preparing(stream, context: context)
                }
            return body?.length == 0 ? nil : body
        } catch let error as CancellationError {
            throw error
        } catch {
            throw NetworkError.wrapping(
                error,
                request: request,
                as: NetworkError(
                    .requestBody,
                    reason: "the request's body could not be read",
                    request: request,
                    underlying: error
                )
            )
        }
    }

    /// Prepares a stream. Parts in memory and in files are used in place; parts that are streams are written to files.
    private static func preparing(_ stream: BodyStream, context: TransportContext) async throws -> UploadBody {
        if stream.trailers != nil {
            throw NetworkError.unsupported("URLSession sends no fields after a body; CurlTransport does")
        }
        if stream.isSentWhileReceiving, stream.length != 0 {
            let reason = "URLSession reads a body to its end before it is sent; CurlTransport does not"
            throw NetworkError.unsupported(reason)
        }
        // If a call fails because of a file, no stream has been read, and the call can be repeated.
        _ = try lookingAtFiles(of: stream)
        try stream.beginSending()
        guard let segments = stream.segments else {
            return UploadBody(.file(try await spooling(stream, context: context)))
        }
        var stretches: [UploadSegments.Stretch] = []
        for segment in segments {
            switch segment.content {
            case .data(let data): stretches.append(.data(data))
            case .file(let url): stretches.append(try lookedAt(url, label: segment.label))
            case .source(let source): stretches.append(.source(source))
            case .stream(let stream):
                stretches.append(.opened(try await spooling(stream, context: context, label: segment.label)))
            }
        }
        return UploadBody(.segments(UploadSegments(stretches)))
    }

    /// The stream with its files at their current length. Each is read up to that length, even if it grows in the
    /// meantime.
    ///
    /// Throws for a part with an unreadable file.
    package static func lookingAtFiles(of stream: BodyStream) throws(NetworkError) -> BodyStream {
        guard let segments = stream.segments else { return stream }
        let current = try segments.map { segment throws(NetworkError) in
            guard case .file(let url) = segment.content else { return segment }
            let file = UploadSegments([try lookedAt(url, label: segment.label)])
            return BodyStream.Segment(.source(file), length: file.length, label: segment.label)
        }
        return BodyStream(segments: current)
    }

    /// The current state of a part's file, which may have changed since the request was built or last sent.
    private static func lookedAt(_ url: URL, label: String) throws(NetworkError) -> UploadSegments.Stretch {
        do {
            return .named(url, length: try BodyFile.reading(url).length, label: label)
        } catch {
            let reason = "\(label): the file \(url.path) is not there, not a file or not readable"
            throw NetworkError(.requestBody, reason: reason, underlying: error)
        }
    }

    /// Writes a stream to a temporary file. On Linux a session that waits for body bytes also blocks every other
    /// session.
    private static func spooling(
        _ stream: BodyStream,
        context: TransportContext,
        label: String = "the body"
    ) async throws -> BodyFile {
        let work = Task { try await copy(stream, label: label) { context.reportActivity() } }
        context.onInterruption { work.cancel() }
        context.readingBegan()
        defer { context.readingEnded() }
        do {
            return try await withTaskCancellationHandler {
                try await work.value
            } onCancel: {
                work.cancel()
            }
        } catch {
            guard !Task.isCancelled, let interruption = context.interruption(during: .queue) else { throw error }
            throw interruption
        }
    }

    private static func copy(
        _ stream: BodyStream,
        label: String,
        told: () -> Void
    ) async throws -> BodyFile {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkEngine-\(UUID()).body")
        let spool = try BodyFile.creating(place)
        // The open file remains readable.
        defer { spool.remove() }
        for try await piece in stream {
            try spool.write(piece)
            told()
        }
        let file = try BodyFile.reading(place)
        if let length = stream.length, length != file.length {
            throw NetworkError.wrongLength(of: label, file.length, announced: length)
        }
        return file
    }
}
