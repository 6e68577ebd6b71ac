import Foundation

/// Writes an exchange's body to a file, and resumes an interrupted body if the server supports it.
struct DownloadWriter: Sendable {
    typealias Send = @Sendable (HTTPRequest) async throws -> HTTPResponse

    let session: DownloadSession
    let limit: Int64
    let attempt: Int
    let report: (@Sendable (TransferProgress) -> Void)?
    let send: Send

    /// The response with its body in a file: a received one, or one from the cache.
    func saved(_ request: HTTPRequest) async throws -> HTTPResponse {
        let request = request.withPlainCoding
        let response = try await send(request)
        if case .file = response.body { return response }
        return try await session.withFile {
            // The start of an earlier call's body is no longer useful.
            if response.source == .cache { session.takePartial(for: request)?.file.remove() }
            return try await saveFromStart(response, of: request, isRestart: false)
        }
    }

    /// The response, with its body in a file. For a resumed body, this is a 200 with the whole body.
    func response(to request: HTTPRequest) async throws -> HTTPResponse {
        let request = request.withPlainCoding
        return try await session.withFile { try await continued(request) }
    }

    private func continued(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let partial = session.takePartial(for: request) else { return try await whole(request) }
        guard let response = try await rest(of: partial, of: request) else {
            return try await whole(request, isRestart: true)
        }
        return response
    }

    /// The response with the rest of a body; `nil` if the rest could not be used.
    private func rest(of partial: PartialFile, of request: HTTPRequest) async throws -> HTTPResponse? {
        // A write that failed halfway may have left bytes after the valid ones.
        guard (try? partial.file.cut(to: partial.count)) != nil else {
            partial.file.remove()
            return nil
        }
        let response: HTTPResponse
        do {
            response = try await send(partial.entity.requestForRest(of: request, from: partial.count))
        } catch {
            session.leave(partial)
            throw error
        }
        switch partial.entity.answer(in: response, from: partial.count) {
        case .rest: return try await save(response, behind: partial).wholeResponse(of: partial.entity.total)
        case .other:
            session.leave(partial)
            return try await saveFromStart(response, of: request, isRestart: false)
        case .whole:
            partial.file.remove()
            return try await saveFromStart(response, of: request, isRestart: true)
        case .unusable:
            partial.file.remove()
            return nil
        }
    }

    private func whole(_ request: HTTPRequest, isRestart: Bool = false) async throws -> HTTPResponse {
        try await saveFromStart(try await send(request), of: request, isRestart: isRestart)
    }

    private func saveFromStart(_ response: HTTPResponse, of request: HTTPRequest, isRestart: Bool) async throws
        -> HTTPResponse
    {
        guard case .stream(let stream) = response.body else { return try keep(response) }
        let place = session.next()
        let file = try storing { try BodyFile.creating(place) }
        let asked = request.method == .get && !request.headers.contains("Range")
        let entity = asked ? DownloadEntity(of: response, length: stream.length) : nil
        if entity != nil { try storing { try file.claim() } }
        let isRestart = session.began(entity, at: place, for: request, isRestart: isRestart)
        var count: Int64 = 0
        tell(0, of: stream.length, isRestart: isRestart)
        do {
            try await write(stream, to: file, &count, of: stream.length)
        } catch {
            if let entity, count > 0 {
                session.leave(PartialFile(file: file, entity: entity, of: request, count: count))
            } else {
                file.remove()
            }
            throw error.after(response)
        }
        tell(count, of: count)
        return response.with(place)
    }

    private func save(_ response: HTTPResponse, behind partial: PartialFile) async throws -> HTTPResponse {
        var partial = partial
        let total = partial.entity.total
        tell(partial.count, of: total)
        do {
            switch response.body {
            case .stream(let stream): try await write(stream, to: partial.file, &partial.count, of: total)
            case .data(let data): try write(data, to: partial.file, &partial.count, of: total)
            case .file(let url):
                defer { response.discardFile() }
                try write(Data(contentsOf: url), to: partial.file, &partial.count, of: total)
            }
            guard partial.count == total else {
                throw NetworkError(
                    .lostMidBody, reason: "the body ended before its announced length",
                    figures: ErrorFigures(byteCount: partial.count, expectedByteCount: total))
            }
        } catch {
            session.leave(partial)
            throw error.after(response)
        }
        tell(total, of: total)
        return response.with(partial.place)
    }

    private func write(
        _ stream: BodyStream,
        to file: BodyFile,
        _ count: inout Int64,
        of total: Int64?
    ) async throws {
        if let total, total > limit { throw tooLarge }
        for try await piece in stream { try write(piece, to: file, &count, of: total) }
    }

    private func write(_ piece: Data, to file: BodyFile, _ count: inout Int64, of total: Int64?) throws {
        guard count + Int64(piece.count) <= limit else { throw tooLarge }
        if let total, count + Int64(piece.count) > total {
            throw NetworkError(
                .protocolViolation, reason: "the body is longer than announced",
                figures: ErrorFigures(expectedByteCount: total))
        }
        try storing { try file.write(piece) }
        count += Int64(piece.count)
        tell(count, of: total)
    }

    /// Saves an in-memory body to a file: an error body, or the body from a transport that does not stream.
    private func keep(_ response: HTTPResponse) throws -> HTTPResponse {
        let count: Int64
        switch response.body {
        case .data(let data): count = Int64(data.count)
        case .file(let url):
            session.adopt(url)
            count = try storing { try BodyFile.reading(url).length }
        case .stream: return response
        }
        if (200..<300).contains(response.statusCode) {
            if count > limit { throw tooLarge }
            tell(count, of: count)
        }
        guard let data = response.body.data else { return response }
        let place = session.next()
        try storing { try BodyFile.creating(place).write(data) }
        return response.with(place)
    }

    private func tell(_ count: Int64, of total: Int64?, isRestart: Bool = false) {
        report?(
            TransferProgress(
                direction: .receiving, completed: count, total: total, attempt: attempt, isRestart: isRestart)
        )
    }

    private func storing<Value>(_ action: () throws -> Value) throws -> Value {
        do {
            return try action()
        } catch {
            throw NetworkError(kind: .transport, reason: "the body could not be written to its file", underlying: error)
        }
    }

    private var tooLarge: NetworkError {
        NetworkError(.limitExceeded, reason: "the response's body is larger than the limit of \(limit) bytes")
    }
}

extension HTTPRequest {
    /// The request for an unencoded body, unless it specifies a coding: the file's bytes must match the length, range
    /// and digest.
    fileprivate var withPlainCoding: HTTPRequest {
        var request = self
        request.headers["Accept-Encoding"] = headers["Accept-Encoding"] ?? "identity"
        return request
    }
}

extension Error {
    /// The error for a body that did not arrive, with its response's head.
    fileprivate func after(_ response: HTTPResponse) -> NetworkError {
        NetworkError.transport(self, request: response.request).completed(response: response.withoutStream)
    }
}

extension HTTPResponse {
    fileprivate func with(_ file: URL) -> HTTPResponse {
        var response = self
        response.body = .file(file)
        return response
    }

    /// The response for the whole, created from the response for a part (RFC 9110 15.3.7.3).
    fileprivate func wholeResponse(of length: Int64) -> HTTPResponse {
        var response = self
        response.statusCode = 200
        response.headers["Content-Range"] = nil
        // This digest describes the part.
        response.headers["Content-Digest"] = nil
        response.headers["Content-Length"] = String(length)
        return response
    }
}
