package import Foundation

extension DownloadDestination {
    /// Moves a response's file to its destination.
    package func place(_ response: HTTPResponse) throws -> URL {
        try Task.checkCancellation()
        let saved = try response.savedToFile()
        do {
            try digest?.check(saved.file, of: saved.response)
            return try place(saved.file, of: saved.response)
        } catch {
            throw NetworkError.decoding(error, of: saved.response.movingFileIntoMemory())
        }
    }
}

extension NetworkTask {
    /// The destination of the task's download.
    package var destination: DownloadDestination {
        switch self {
        case .downloadDestination(let destination), .downloadParameters(_, _, let destination): destination
        default: .temporary
        }
    }
}

extension DownloadDestination {
    fileprivate func place(_ source: URL, of response: HTTPResponse) throws -> URL {
        let goal: URL
        switch place {
        case .temporary: return source
        case .file(let url): goal = url
        case .folder(let folder): goal = try folder.file(named: response.suggestedFileName)
        case .custom(let choose): goal = try Self.goal(of: response, by: choose)
        }
        try Task.checkCancellation()
        do {
            try move(source, to: goal)
            return goal
        } catch {
            throw NetworkError(
                kind: .invalidRequest,
                reason: "the download cannot be placed at \(goal.path): \(error.placementWords)",
                underlying: error
            )
        }
    }

    private static func goal(of response: HTTPResponse, by choose: (HTTPResponse) throws -> URL) throws -> URL {
        do {
            return try choose(response)
        } catch let error where !(error is NetworkError || error is CancellationError) {
            let reason = "the download's destination threw \(type(of: error))"
            throw NetworkError(kind: .invalidRequest, reason: reason, underlying: error)
        }
    }

    private func move(_ source: URL, to goal: URL) throws {
        let files = FileManager.default
        if options.contains(.createFolders) {
            try files.createDirectory(at: goal.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        try files.place(source, at: goal, replacing: options.contains(.replace))
    }
}

extension HTTPResponse {
    /// The file with the body. An in-memory body is written to a file first.
    fileprivate func savedToFile() throws -> (file: URL, response: HTTPResponse) {
        switch body {
        case .file(let file): return (file, self)
        case .data(let data):
            let file = URL.freshTemporaryFile
            let isMade = FileManager.default.createFile(
                atPath: file.path,
                contents: data,
                attributes: [.posixPermissions: 0o600]
            )
            guard isMade else {
                throw NetworkError(kind: .transport, reason: "the body could not be written to \(file.path)")
            }
            var response = self
            response.body = .file(file)
            return (file, response)
        case .stream:
            throw NetworkError(kind: .unsupported, reason: "a streamed body cannot be saved to a file")
        }
    }
}

extension Error {
    fileprivate var placementWords: String {
        if let code = (self as? POSIXError)?.code { return code == .EISDIR ? "there is a folder" : "\(code)" }
        return switch (self as? CocoaError)?.code {
        case .fileWriteFileExists: "there is a file already"
        case .fileNoSuchFile, .fileReadNoSuchFile: "its folder does not exist"
        case .fileWriteNoPermission: "no permission"
        case .fileWriteOutOfSpace: "no space left"
        default: "\(type(of: self))"
        }
    }
}
