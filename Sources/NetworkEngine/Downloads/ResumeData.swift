public import Foundation

/// The data to resume an interrupted download, in this process or a later one.
///
/// ```swift
/// let data = await handle.cancelProducingResumeData()            // keep it: it is Codable
/// let file = try await provider.download(.report, resuming: data)
/// ```
/// The bytes stay in the configuration's temporary folder until a download finishes with them, or `discard(in:)`
/// removes them.
///
/// The same origin and path identify the resource, after any redirect. The query may change, as that of a signed
/// address does: the server then compares its entity tag. If the bytes are missing, the address is another one, or the
/// server's resource has changed, the download starts over, and `DownloadHandle.hasRestarted` and the progress say so.
/// It also starts over if the server gave only a time of modification, and the request has other credentials or
/// cookies. The session of a `TokenRefresher` stands for its tokens.
public struct ResumeData: Codable, Hashable, Sendable {
    /// The length of the whole resource in bytes.
    public let totalBytes: Int64
    /// The server's validator for the bytes.
    let validator: String
    /// The time of modification of the resource, if the server told one.
    let modified: String?
    /// A name in the temporary folder, never a path: a path would let modified data name any file.
    let fileName: String
    /// A digest of the call's request, whose address may contain secrets.
    let request: String
    /// A digest of the address that the bytes came from. After a redirect it differs from the call's.
    let source: String
    /// A digest of what identifies the sender; `nil` for a request that says nothing about its sender.
    let sender: String?

    /// Resume data of a call without a redirect.
    init(entity: DownloadEntity, fileName: String, request: HTTPRequest) {
        self.init(
            entity: entity, fileName: fileName, request: Self.digest(of: request), source: request.source,
            sender: request.senderDigest)
    }

    init(entity: DownloadEntity, fileName: String, request: String, source: String, sender: String?) {
        totalBytes = entity.total
        validator = entity.validator
        modified = entity.modified
        self.fileName = fileName
        self.request = request
        self.source = source
        self.sender = sender
    }

    /// Removes the bytes that this data names, unless a download is using them.
    ///
    /// A download that has failed uses them no longer.
    ///
    /// - Parameter temporaryFolder: the configuration's temporary folder.
    public func discard(in temporaryFolder: URL = FileManager.default.temporaryDirectory) {
        guard let place = file(in: temporaryFolder) else { return }
        // Opening the file to continue it fails while a download has it open.
        try? BodyFile.continuing(place).remove()
    }

    /// Whether the data can be used for a call with this digest, if it leads to the same address.
    ///
    /// A time of modification is often the same for all files of a deployment. It identifies the bytes only if the
    /// whole request is the same.
    func isUsable(for digest: String) -> Bool { request == digest || validator.isStrongTag }

    /// Whether the data can be used for a request of this sender.
    ///
    /// A strong entity tag differs for each representation of a resource, also for those of different users. A time of
    /// modification can be the same.
    func isUsable(forSenderOf request: HTTPRequest) -> Bool {
        validator.isStrongTag || sender == request.senderDigest
            || request.hasEarlierSender && sender == request.senderDigest(isEarlier: true)
    }

    /// The partial entity; `nil` if the data is damaged.
    var entity: DownloadEntity? {
        totalBytes > 0 ? DownloadEntity(validator: validator, modified: modified, total: totalBytes) : nil
    }

    /// The file with the bytes; `nil` for a name that the framework does not create.
    func file(in folder: URL) -> URL? {
        let name = fileName.dropFirst(URL.temporaryFilePrefix.count)
        guard fileName.hasPrefix(URL.temporaryFilePrefix), UUID(uuidString: String(name)) != nil else { return nil }
        return folder.appendingPathComponent(fileName)
    }

    /// The digest of a request.
    static func digest(of request: HTTPRequest) -> String {
        SHA256.hexadecimal(of: "\(request.method.rawValue) \(request.url.absoluteString)")
    }
}

extension HTTPRequest {
    /// A digest of the address without its query. The query of a redirect is often a new signature each time.
    package var source: String {
        var address = AddressText(url.absoluteString)
        (address.query, address.fragment) = (nil, nil)
        return SHA256.hexadecimal(of: address.text)
    }

    /// A digest of the credentials and cookies, or what interceptors say that they stand for; `nil` for a request
    /// without them.
    var senderDigest: String? { senderDigest() }

    fileprivate func senderDigest(isEarlier: Bool = false) -> String? {
        let lines = headers.filter { field in
            Redaction.isSecret(header: field.name) || secrets?.names(field.name) == true
                || identity(in: field) != nil
        }.map { field in
            let value = valueOfSender(field, isEarlier: isEarlier)
            return "\(field.name.lowercased()):\(value.utf8.count):\(value)"
        }
        return lines.isEmpty
            ? nil : SHA256.hexadecimal(of: (["2", source] + lines.sorted(byText: { $0 })).joined(separator: "\n"))
    }
}
