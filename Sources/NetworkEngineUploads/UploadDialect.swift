import Foundation
import NetworkEngine

/// The protocol of an upload's server. The messages differ in little more than names.
enum UploadDialect: Hashable, Sendable {
    case tus
    case draft(Int)

    /// A server's record of an upload.
    struct Place: Hashable {
        let offset: Int64
        /// The length that the server expects, if specified.
        let length: Int64?
        /// Whether the upload is complete according to the server; `nil` if unspecified.
        let isComplete: Bool?
    }

    private static let tusVersion = "1.0.0"
    private static let draftField = "Upload-Draft-Interop-Version"
    private static let tusField = "Tus-Resumable"

    /// The media type of appended bytes.
    private var appendedType: String? {
        switch self {
        case .tus: "application/offset+octet-stream"
        case .draft(let version): version >= 6 ? "application/partial-upload" : nil
        }
    }

    // MARK: Requests

    /// Adds the headers of every request in this protocol.
    func mark(_ headers: inout HTTPHeaders) {
        switch self {
        case .tus: headers[Self.tusField] = Self.tusVersion
        case .draft(let version): headers[Self.draftField] = "\(version)"
        }
    }

    /// Adds the headers that create an upload.
    func begin(_ headers: inout HTTPHeaders, length: Int64, metadata: [String: String]) {
        mark(&headers)
        markEnd(&headers, isLast: false)
        switch self {
        case .tus:
            headers["Upload-Length"] = "\(length)"
            let pairs = metadata.map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
            if !pairs.isEmpty { headers["Upload-Metadata"] = pairs.sorted().joined(separator: ",") }
        case .draft(let version): if version >= 4 { headers["Upload-Length"] = "\(length)" }
        }
    }

    /// Adds the headers of a request with bytes at an offset.
    func append(_ headers: inout HTTPHeaders, at offset: Int64, isLast: Bool) {
        mark(&headers)
        markEnd(&headers, isLast: isLast)
        headers["Upload-Offset"] = "\(offset)"
        headers["Content-Type"] = appendedType
    }

    private func markEnd(_ headers: inout HTTPHeaders, isLast: Bool) {
        guard case .draft(let version) = self else { return }
        if version < 4 {
            headers["Upload-Incomplete"] = isLast ? "?0" : "?1"
        } else {
            headers["Upload-Complete"] = isLast ? "?1" : "?0"
        }
    }

    // MARK: Responses

    /// The protocol of a response to a request that offered several; `nil` for any other response.
    static func answered(_ response: HTTPResponse, of offered: [UploadDialect]) -> UploadDialect? {
        let headers = response.headers
        if headers.contains(tusField) { return offered.first { $0 == .tus } }
        let names = [draftField, "Upload-Complete", "Upload-Incomplete", "Upload-Offset", "Upload-Limit"]
        return names.contains(where: headers.contains) ? offered.first { $0 != .tus } : nil
    }

    /// The protocol of a response that contains only the created URL; `nil` for any other response.
    static func silent(_ response: HTTPResponse, of offered: [UploadDialect]) -> UploadDialect? {
        response.statusCode == 201 ? offered.first { $0 != .tus } : nil
    }

    /// Whether a response to a DELETE is from the upload's server: it has no content, or has the protocol's fields.
    func confirmsRemoval(_ response: HTTPResponse) -> Bool {
        response.statusCode == 204 || response.data.isEmpty || Self.answered(response, of: [self]) != nil
    }

    /// The upload's record in a response; `nil` if it has no valid offset.
    func place(in headers: HTTPHeaders) -> Place? {
        guard let offset = Self.number("Upload-Offset", in: headers) else { return nil }
        return Place(
            offset: offset, length: Self.number("Upload-Length", in: headers), isComplete: isComplete(headers))
    }

    private func isComplete(_ headers: HTTPHeaders) -> Bool? {
        guard case .draft(let version) = self else { return nil }
        switch headers[version < 4 ? "Upload-Incomplete" : "Upload-Complete"]?.trimmingCharacters(in: .whitespaces) {
        case "?1": return version >= 4
        case "?0": return version < 4
        default: return nil
        }
    }

    /// Whether a response to appended bytes confirms that the server has all of them.
    ///
    /// A redirect can turn a PATCH into another request, and a proxy can respond instead of the server.
    func confirms(_ response: HTTPResponse, upTo expected: Int64, isLast: Bool) -> Bool {
        guard response.request.method == .patch else { return false }
        let isSuccess = (200..<300).contains(response.statusCode)
        let offset = Self.number("Upload-Offset", in: response.headers)
        guard case .draft = self else { return isSuccess && offset == expected }
        guard (offset ?? expected) == expected else { return false }
        let isComplete = isComplete(response.headers)
        // The response to the last bytes is the call's response, whatever its status.
        if isLast, let isComplete { return isComplete }
        // A proxy's response has neither field.
        return isSuccess && (offset != nil || isComplete != nil)
    }

    /// Whether an unconfirmed response to the last bytes may still be the server's own.
    ///
    /// Some draft servers forward the app's response unchanged.
    func mayBeFinal(_ response: HTTPResponse) -> Bool {
        guard case .draft = self, response.request.method == .patch else { return false }
        return !response.headers.contains("Upload-Offset") && isComplete(response.headers) == nil
    }

    /// A draft server's limit, such as `max-size`.
    static func limit(_ name: String, in headers: HTTPHeaders) -> Int64? {
        for item in (headers["Upload-Limit"] ?? "").split(separator: ",") {
            let parts = item.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, parts[0] == name { return number(parts[1]) }
        }
        return nil
    }

    private static func number(_ name: String, in headers: HTTPHeaders) -> Int64? {
        let values = headers.values(for: name)
        return values.count == 1 ? number(values[0].trimmingCharacters(in: .whitespaces)) : nil
    }

    /// Digits only: byte counts have no signs or fractions.
    private static func number(_ text: String) -> Int64? {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}

extension UploadDialect: Codable {
    init(from decoder: any Decoder) throws {
        let version = try decoder.singleValueContainer().decode(Int.self)
        self = version == 0 ? .tus : .draft(version)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .tus: try container.encode(0)
        case .draft(let version): try container.encode(version)
        }
    }
}

extension ResumableUploadOptions.UploadProtocol {
    /// The protocols offered by the first request.
    var offered: [UploadDialect] {
        switch self {
        case .automatic: [.draft(6), .tus]
        case .tus: [.tus]
        case .draft(let version): [.draft(max(1, version))]
        }
    }
}
