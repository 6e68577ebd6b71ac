package import Foundation

/// What is needed to go on with a download that was broken off, in this process or a later one.
///
/// ```swift
/// let data = await handle.cancelProducingResumeData()            // keep it: it is Codable
/// let file = try await provider.download(.report, resuming: data)
/// ```
/// The bytes themselves stay in the configuration's temporary folder until they are asked for. Where they are gone, the
/// target is another one, or the server has something else now, the download begins anew by itself.
public struct ResumeData: Codable, Hashable, Sendable {
    /// All bytes of the whole.
    public let totalBytes: Int64
    /// Stands for the bytes that came, as the server named it.
    package let validator: String
    /// A name in the temporary folder: never a path, which would let whoever can change this data choose any file.
    package let fileName: String
    /// The digest of what was asked for; the address itself may hold secrets.
    package let request: String

    package init(entity: DownloadEntity, fileName: String, request: HTTPRequest) {
        totalBytes = entity.total
        validator = entity.validator
        self.fileName = fileName
        self.request = Self.digest(of: request)
    }

    /// What is there already, if this belongs to the request.
    package func entity(for request: HTTPRequest) -> DownloadEntity? {
        guard self.request == Self.digest(of: request), totalBytes > 0 else { return nil }
        return DownloadEntity(validator: validator, total: totalBytes)
    }

    /// The file with the bytes; `nil` for a name that we have not given.
    package func file(in folder: URL) -> URL? {
        let name = fileName.dropFirst(URL.temporaryFilePrefix.count)
        guard fileName.hasPrefix(URL.temporaryFilePrefix), UUID(uuidString: String(name)) != nil else { return nil }
        return folder.appendingPathComponent(fileName)
    }

    private static func digest(of request: HTTPRequest) -> String {
        var digest = SHA256()
        var text = "\(request.method.rawValue) \(request.url.absoluteString)"
        text.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
        return digest.hexadecimal
    }
}
