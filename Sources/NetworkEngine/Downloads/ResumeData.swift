package import Foundation

/// What is needed to go on with a download that was broken off, in this process or a later one.
///
/// ```swift
/// let data = await handle.cancelProducingResumeData()            // keep it: it is Codable
/// let file = try await provider.download(.report, resuming: data)
/// ```
/// The bytes themselves stay in the configuration's temporary folder until they are asked for. Where they are gone, the
/// target is another one, or the server has something else now, the download begins anew by itself. Behind a redirect it
/// continues if the redirect still leads to the same address, whose query may change.
public struct ResumeData: Codable, Hashable, Sendable {
    /// All bytes of the whole.
    public let totalBytes: Int64
    /// Stands for the bytes that came, as the server named it.
    package let validator: String
    /// A name in the temporary folder: never a path, which would let whoever can change this data choose any file.
    package let fileName: String
    /// A digest of the call's request, whose address may hold secrets.
    package let request: String
    /// A digest of the address that the bytes came from. Behind a redirect it is not the call's.
    package let source: String

    /// Resume data of a call without a redirect.
    package init(entity: DownloadEntity, fileName: String, request: HTTPRequest) {
        self.init(entity: entity, fileName: fileName, request: Self.digest(of: request), source: request.source)
    }

    package init(entity: DownloadEntity, fileName: String, request: String, source: String) {
        totalBytes = entity.total
        validator = entity.validator
        self.fileName = fileName
        self.request = request
        self.source = source
    }

    /// What is there already, if this belongs to the request.
    package func entity(for request: HTTPRequest) -> DownloadEntity? {
        self.request == Self.digest(of: request) ? entity : nil
    }

    /// What is there already, whatever it belongs to.
    package var entity: DownloadEntity? {
        totalBytes > 0 ? DownloadEntity(validator: validator, total: totalBytes) : nil
    }

    /// The file with the bytes; `nil` for a name that we have not given.
    package func file(in folder: URL) -> URL? {
        let name = fileName.dropFirst(URL.temporaryFilePrefix.count)
        guard fileName.hasPrefix(URL.temporaryFilePrefix), UUID(uuidString: String(name)) != nil else { return nil }
        return folder.appendingPathComponent(fileName)
    }

    /// The digest of a request.
    package static func digest(of request: HTTPRequest) -> String {
        digest(of: "\(request.method.rawValue) \(request.url.absoluteString)")
    }

    fileprivate static func digest(of text: String) -> String {
        var digest = SHA256()
        var text = text
        text.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
        return digest.hexadecimal
    }
}

extension HTTPRequest {
    /// A digest of the address without its query. The query of a redirect is often a new signature each time.
    package var source: String {
        var address = AddressText(url.absoluteString)
        (address.query, address.fragment) = (nil, nil)
        return ResumeData.digest(of: address.text)
    }
}
