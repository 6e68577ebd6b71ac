import Foundation
import NetworkEngine

/// Detects whether the content has changed.
enum ContentFingerprint: Codable, Hashable, Sendable {
    case file(BodyFile.Version)
    case data(digest: String)
}

/// The content of an upload. A file is opened only once, so that it cannot be swapped for another one.
struct UploadContent: Sendable {
    private enum Source {
        case data(Data)
        case file(BodyFile, BodyFile.Version)
    }

    private let source: Source
    let fingerprint: ContentFingerprint
    let length: Int64
    /// The file name.
    let name: String?

    init(_ request: HTTPRequest) throws(NetworkError) {
        let isForm = request.headers["Content-Type"]?.lowercased().hasPrefix("multipart/form-data") == true
        switch request.body {
        case .data(let data) where !isForm:
            source = .data(data)
            var digest = SHA256()
            data.withUnsafeBytes { digest.update($0) }
            (fingerprint, length, name) = (.data(digest: digest.hexadecimal), Int64(data.count), nil)
        case .file(let url) where !isForm:
            do {
                let file = try BodyFile.reading(url)
                let version = try file.version()
                source = .file(file, version)
                (fingerprint, length, name) = (.file(version), version.length, url.lastPathComponent)
            } catch {
                let reason = "the file \(url.path) is not there, not a file or not readable"
                throw NetworkError(.requestBody, reason: reason, request: request, underlying: error)
            }
        default:
            // Each form has a different boundary.
            let reason = "an upload that resumes needs a file or data: streams and forms differ in a later call"
            throw NetworkError(kind: .invalidRequest, reason: reason, request: request)
        }
    }

    /// The bytes in a range, for one request.
    func part(from offset: Int64, count: Int64) -> RequestBody {
        if count == 0 { return .data(Data()) }
        switch source {
        case .data(let data):
            return .stream(BodyStream(DataPart(data: data.dropFirst(Int(offset)).prefix(Int(count)))))
        case .file(let file, let version):
            return .stream(BodyStream(FilePart(file: file, version: version, offset: offset, length: count)))
        }
    }
}

/// A range of data.
private struct DataPart: BodySource {
    let data: Data
    var length: Int64 { Int64(data.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        data.dropFirst(Int(offset)).copyBytes(to: buffer)
    }
}

/// A range of a file that must not change while it is sent.
private struct FilePart: BodySource {
    let file: BodyFile
    let version: BodyFile.Version
    let offset: Int64
    let length: Int64

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = min(Int64(buffer.count), length - offset)
        guard count > 0 else { return 0 }
        let read = try file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)]), at: self.offset + offset)
        // The last bytes are sent only if all bytes belong to one version. A file that became shorter ends early.
        if read == 0 || offset + Int64(read) == length {
            guard read > 0, try file.version() == version else { throw UploadFailure.contentChanged }
        }
        return read
    }
}
