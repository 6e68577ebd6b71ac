import Foundation
import NetworkEngine

/// A validated request and the transfer that performs it.
struct BackgroundPlan: Sendable {
    let request: HTTPRequest
    let transfer: BackgroundTransfer

    /// Plans a download. Throws for anything that the system cannot do in the background.
    static func download(
        _ request: HTTPRequest,
        to destination: DownloadDestination,
        tag: String
    ) throws(NetworkError) -> BackgroundPlan {
        try request.validate()
        try request.checkForURLSession()
        switch request.body {
        case .absent, .data: break
        case .file, .stream:
            throw .unsupported("the body of a background download must be in memory", request: request)
        }
        let saved = try SavedDestination(destination)
        return BackgroundPlan(
            request: request, transfer: BackgroundTransfer(kind: .download, tag: tag, destination: saved))
    }

    /// Plans an upload. Throws for a request without a body.
    static func upload(_ request: HTTPRequest, tag: String) throws(NetworkError) -> BackgroundPlan {
        try request.validate()
        try request.checkForURLSession()
        if request.body.isAbsent {
            throw NetworkError(kind: .invalidRequest, reason: "there is no body to upload", request: request)
        }
        return BackgroundPlan(request: request, transfer: BackgroundTransfer(kind: .upload, tag: tag))
    }
}

extension BackgroundPlan {
    /// Returns the file that the system uploads: the body's own, or a new one with its bytes.
    func bodyFile(in folder: URL) async throws(NetworkError) -> URL {
        do {
            switch request.body {
            case .file(let url):
                _ = try BodyFile.reading(url)
                return url
            case .absent: return try await spool(in: folder) { _ in }
            case .data(let data): return try await spool(in: folder) { try $0.write(data) }
            case .stream(let stream):
                _ = try UploadBody.lookingAtFiles(of: stream)
                try stream.beginSending()
                let whole = BodyStream.Segment(.stream(stream), length: stream.length)
                return try await spool(in: folder) { file in
                    for segment in stream.segments ?? [whole] { try await file.write(segment) }
                }
            }
        } catch {
            let reason = "the request's body could not be read, or not be written to a file"
            throw .wrapping(
                error,
                request: request,
                as: NetworkError(.requestBody, reason: reason, request: request, underlying: error)
            )
        }
    }

    private func spool(
        in folder: URL,
        _ write: @Sendable (BodyFile) async throws -> Void
    ) async throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = transfer.spool(in: folder)
        let file = try BodyFile.creating(url)
        do {
            try await write(file)
            return url
        } catch {
            file.remove()
            throw error
        }
    }
}

extension BodyFile {
    /// Writes a segment.
    ///
    /// Throws for a stream with more or fewer bytes than declared, which would be sent as if it were complete. A file
    /// may have changed since the request was built, and is sent in its current state.
    fileprivate func write(_ segment: BodyStream.Segment) async throws {
        var announced: Int64?
        if case .stream = segment.content { announced = segment.length }
        var count: Int64 = 0
        func mismatch(_ announced: Int64) -> NetworkError {
            .wrongLength(of: segment.label, count, announced: announced)
        }
        for try await piece in BodyStream(segments: [segment]) {
            count += Int64(piece.count)
            // The stream may be endless.
            if let announced, count > announced { throw mismatch(announced) }
            try write(piece)
        }
        if let announced, count < announced { throw mismatch(announced) }
    }
}

extension BackgroundTransfer {
    /// The file with an upload's body. Its name is derived from the identifier, so that it can be found after a
    /// relaunch.
    func spool(in folder: URL) -> URL { folder.appendingPathComponent("\(id.uuidString).body") }

    /// Removes that file, if there is one.
    func removeSpool(in folder: URL) {
        if kind == .upload { try? FileManager.default.removeItem(at: spool(in: folder)) }
    }
}

extension HTTPRequest {
    /// Hides anything that may be secret in an earlier process's request, as if an interceptor had added all of it.
    ///
    /// The interceptors' secrets were lost with that process.
    var markingEverything: HTTPRequest {
        var address = AddressText(url.absoluteString)
        address.query = nil
        return marking(placedSince: HTTPRequest(method: method, url: URL(string: address.text) ?? url))
    }
}
