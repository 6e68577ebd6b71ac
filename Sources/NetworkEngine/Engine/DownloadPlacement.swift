package import Foundation

extension DownloadDestination {
    /// Moves the file that a response was saved to where the download is to end up.
    package var placement: ResponseDecoding<URL> {
        ResponseDecoding { response, _ in
            do {
                try Task.checkCancellation()
                return try place(response)
            } catch {
                response.discardFile()
                throw error
            }
        }
    }
}

extension NetworkTask {
    /// Where a download of this task ends up.
    package var destination: DownloadDestination {
        switch self {
        case .downloadDestination(let destination), .downloadParameters(_, _, let destination): destination
        default: .temporary
        }
    }
}

extension DownloadDestination {
    fileprivate func place(_ response: HTTPResponse) throws -> URL {
        let source = try response.savedFile()
        let goal: URL
        switch place {
        case .temporary: return source
        case .file(let url): goal = url
        case .folder(let folder): goal = folder.appendingPathComponent(response.suggestedFileName)
        case .custom(let choose): goal = try choose(response)
        }
        try Task.checkCancellation()
        do {
            try move(source, to: goal)
            return goal
        } catch {
            throw NetworkError(
                kind: .invalidRequest,
                reason: "the download cannot be placed at \(goal.path): \(error.placementWords)",
                response: response,
                underlying: error
            )
        }
    }

    private func move(_ source: URL, to goal: URL) throws {
        let files = FileManager.default
        if options.contains(.createFolders) {
            try files.createDirectory(at: goal.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        if options.contains(.replace), files.fileExists(atPath: goal.path) {
            _ = try files.replaceItemAt(goal, withItemAt: source)
        } else {
            try files.moveItem(at: source, to: goal)
        }
    }
}

extension HTTPResponse {
    /// The file that holds the body; a transport that kept it in memory has it written here.
    fileprivate func savedFile() throws -> URL {
        switch body {
        case .file(let url): return url
        case .data(let data):
            let url = URL.freshTemporaryFile
            try data.write(to: url)
            return url
        case .stream:
            throw NetworkError(kind: .unsupported, reason: "a streamed body cannot be saved to a file", response: self)
        }
    }

    /// The name that the server suggests, else the end of the address, reduced to one harmless component.
    fileprivate var suggestedFileName: String {
        let parameters = headers["Content-Disposition"]?.split(separator: ";").dropFirst() ?? []
        let names = parameters.compactMap { parameter -> String? in
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces).lowercased() == "filename" else {
                return nil
            }
            return pair[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
        }
        let name = (names.first ?? request.url.lastPathComponent).split { $0 == "/" || $0 == "\\" }.last.map(
            String.init)
        let harmless = name?.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(String.init).joined()
        guard let harmless, !harmless.isEmpty, harmless != ".", harmless != ".." else { return "download" }
        return harmless
    }
}

extension Error {
    fileprivate var placementWords: String {
        switch (self as? CocoaError)?.code {
        case .fileWriteFileExists: "there is a file already"
        case .fileNoSuchFile, .fileReadNoSuchFile: "its folder does not exist"
        case .fileWriteNoPermission: "no permission"
        case .fileWriteOutOfSpace: "no space left"
        default: "\(type(of: self))"
        }
    }
}
