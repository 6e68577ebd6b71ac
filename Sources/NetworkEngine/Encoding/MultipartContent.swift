import Foundation

/// The bytes of one part, and whether they can be had.
enum MultipartContent {
    /// What is to be sent of a part, after a look at whether there is anything wrong with it; nothing is read.
    static func segment(of part: MultipartFormData, label: String) throws(NetworkError) -> BodyStream.Segment {
        switch part.provider {
        case .data(let data): BodyStream.Segment(.data(data), length: Int64(data.count), label: label)
        case .file(let url): BodyStream.Segment(.file(url), length: try fileLength(url, label: label), label: label)
        case .stream(let stream): BodyStream.Segment(.stream(stream), length: stream.length, label: label)
        }
    }

    private static func fileLength(_ url: URL, label: String) throws(NetworkError) -> Int64 {
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
        return (attributes[.size] as? NSNumber)?.int64Value ?? 0
    }
}

extension NetworkError {
    fileprivate static func unusable(_ label: String, _ file: URL, _ fault: String) -> NetworkError {
        NetworkError(kind: .invalidRequest, reason: "\(label): the file \(file.path) \(fault)")
    }
}
