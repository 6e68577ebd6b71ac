import Foundation

extension UploadBody {
    /// Makes a request's body ready to be sent; `nil` when there are no bytes to send.
    ///
    /// What is wrong with the body is found here, before any I/O: the platform sends an empty one instead.
    package static func preparing(_ request: HTTPRequest, context: TransportContext) async throws -> UploadBody? {
        do {
            let body: UploadBody? =
                switch request.body {
                case .none: nil
                case .data(let data): UploadBody(.data(data))
                case .file(let url): UploadBody(.file(try BodyFile.reading(url)))
                case .stream(let stream): try await spooling(stream, context: context)
                }
            return body?.length == 0 ? nil : body
        } catch let error as CancellationError {
            throw error
        } catch let error as NetworkError {
            throw error.completed(request: request)
        } catch {
            throw NetworkError(
                .requestBody,
                reason: "the request's body could not be read",
                request: request,
                underlying: error
            )
        }
    }

    /// Writes a stream to a file of our own first: on Linux a session cannot wait for bytes that are not there yet
    /// without stopping every other session too (`linux.md` 2).
    private static func spooling(_ stream: BodyStream, context: TransportContext) async throws -> UploadBody {
        let work = Task { try await copy(stream) }
        context.onInterruption { work.cancel() }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private static func copy(_ stream: BodyStream) async throws -> UploadBody {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("NetworkEngine-\(UUID()).body")
        let spool = try BodyFile.creating(place)
        let body: UploadBody
        do {
            for try await piece in stream { try spool.write(piece) }
            try Task.checkCancellation()
            body = UploadBody(.file(try BodyFile.reading(place)), spool: outlivesItsName ? nil : spool)
        } catch {
            spool.remove()
            throw error
        }
        if outlivesItsName { spool.remove() }
        if let length = stream.length, length != body.length {
            throw NetworkError(
                .requestBody,
                reason: "the body's stream gave \(body.length) bytes and had announced \(length)"
            )
        }
        return body
    }
}
