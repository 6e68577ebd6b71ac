import Foundation

/// The bytes of one part, and whether they can be had.
enum MultipartContent {
    /// The number of bytes, after a look at whether there is anything wrong with the part.
    static func length(of part: MultipartFormData, label: String) throws(NetworkError) -> Int {
        switch part.provider {
        case .data(let data): return data.count
        case .file(let url): return try fileLength(url, label: label)
        case .stream: throw .streamed(label)
        }
    }

    static func data(of part: MultipartFormData, label: String) throws(NetworkError) -> Data {
        switch part.provider {
        case .data(let data): return data
        case .stream: throw .streamed(label)
        case .file(let url):
            do {
                return try Data(contentsOf: url)
            } catch {
                throw .unusable(label, url, "cannot be read", underlying: error)
            }
        }
    }

    private static func fileLength(_ url: URL, label: String) throws(NetworkError) -> Int {
        guard url.isFileURL else { throw .invalid("\(label) is not a file URL: \(Redaction.describe(url))") }
        let path = url.resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw .unusable(label, url, "does not exist")
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeRegular?: break
        case .typeDirectory?: throw .unusable(label, url, "is a directory")
        default: throw .unusable(label, url, "is not a regular file")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw .unusable(label, url, "is not readable")
        }
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }
}

extension NetworkError {
    fileprivate static func streamed(_ label: String) -> NetworkError {
        NetworkError(kind: .unsupported, reason: "\(label) is a stream, which cannot be sent in a form yet")
    }

    fileprivate static func unusable(
        _ label: String,
        _ file: URL,
        _ fault: String,
        underlying: (any Error)? = nil
    ) -> NetworkError {
        NetworkError(kind: .invalidRequest, reason: "\(label): the file \(file.path) \(fault)", underlying: underlying)
    }
}
