public import Foundation

/// The data to resume an interrupted download, in this process or a later one.
///
/// ```swift
/// let data = await handle.cancelProducingResumeData()            // keep it: it is Codable
/// let file = try await provider.download(.report, resuming: data)
/// ```
/// The bytes remain in the configuration's temporary folder until a download finishes with them, or `discard(in:)`
/// removes them.
///
/// The same origin and path identify the resource, after any redirect. The query may change, for example in a signed
/// URL: the server then compares its entity tag. If the bytes are missing, the URL differs, or the server's resource
/// has changed, the download restarts, and `DownloadHandle.hasRestarted` and the progress report it. It also restarts
/// if the server sent only a modification time, and the request has other credentials or cookies. For a
/// `TokenRefresher`, the session counts instead of its tokens.
public struct ResumeData: Codable, Hashable, Sendable {
    /// The total length of the resource in bytes.
    public let totalBytes: Int64
    /// The server's validator for the bytes.
    let validator: String
    /// The resource's modification time, if the server sent one.
    let modified: String?
    /// A file name in the temporary folder, never a path, because modified data could use a path to refer to any file.
    let fileName: String
    /// A digest of the call's request, because its URL may contain secrets.
    let request: String
    /// A digest of the URL that the bytes came from. After a redirect it differs from the call's.
    let source: String
    /// A digest of the sender's identity; `nil` for a request that does not identify its sender.
    let sender: String?

    /// Resume data for a call without a redirect.
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

    /// Removes the bytes that this data refers to, unless a download is using them.
    ///
    /// A failed download no longer uses them.
    ///
    /// - Parameter temporaryFolder: the configuration's temporary folder.
    public func discard(in temporaryFolder: URL = FileManager.default.temporaryDirectory) {
        guard let place = file(in: temporaryFolder) else { return }
        // Opening the file to resume it fails while a download has it open.
        try? BodyFile.continuing(place).remove()
    }

    /// Whether the data can be used for a call with this digest, if it leads to the same URL.
    ///
    /// All files of a deployment often have the same modification time. It identifies the bytes only if the whole
    /// request is the same.
    func isUsable(for digest: String) -> Bool { request == digest || validator.isStrongTag }

    /// Whether the data can be used for a request from this sender.
    ///
    /// A strong entity tag differs for each representation of a resource, including those for different users. A
    /// modification time can be the same.
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
    /// A digest of the URL without its query. A redirect's query is often a new signature each time.
    package var source: String {
        var address = AddressText(url.absoluteString)
        (address.query, address.fragment) = (nil, nil)
        return SHA256.hexadecimal(of: address.text)
    }

    /// A digest of the credentials and cookies, or of the identities that interceptors assigned to them; `nil` for a
    /// request without them.
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
