import Foundation
import NetworkEngine

/// One request of an upload.
enum UploadStep: Sendable {
    /// Creates an upload. The request has no content, because a server without resumable uploads must not mistake a
    /// part for the whole.
    case create
    /// Requests the number of bytes that the server has.
    case locate(UploadState)
    /// Sends bytes at the state's offset.
    case append(UploadState, count: Int64, isLast: Bool, asksFirst: Bool)
    /// Removes the upload.
    case discard(UploadState)

    /// The state that the step continues.
    var state: UploadState? {
        switch self {
        case .create: nil
        case .locate(let state), .append(let state, _, _, _), .discard(let state): state
        }
    }

    /// Whether the step needs the content.
    var needsContent: Bool {
        if case .discard = self { false } else { true }
    }

    /// The responses that the step accepts; `nil` to use the target's validation.
    var validation: ResponseValidation? {
        if case .append(let state, _, true, _) = self, state.dialect != .tus { return nil }
        return .statusCodes(200..<300)
    }
}

extension UploadStep {
    /// Creates the step's request from the target's request.
    func shape(
        _ request: inout HTTPRequest,
        _ content: UploadContent?,
        _ options: ResumableUploadOptions,
        _ rules: RequestRules
    ) throws(NetworkError) {
        guard let state else { return begin(&request, content, options) }
        guard state.request == request.identity else {
            let reason = "the state belongs to an upload with another method or address"
            throw NetworkError(
                kind: .invalidRequest, reason: reason, request: request, underlying: UploadFailure.otherRequest)
        }
        if let content, content.fingerprint != state.fingerprint || content.length != state.length {
            let reason = "the content has changed since the upload began"
            throw NetworkError(
                kind: .invalidRequest, reason: reason, request: request, underlying: UploadFailure.contentChanged)
        }
        let link = ServerLink(state.address, to: "the upload", in: nil)
        var next = try request.addressed(to: link, options, rules)
        state.dialect.mark(&next.headers)
        switch self {
        case .create: break
        case .locate: next.method = .head
        case .discard: next.method = .delete
        case .append(let state, let count, let isLast, let asksFirst):
            next.method = .patch
            next.body = content?.part(from: state.offset, count: count) ?? .absent
            state.dialect.append(&next.headers, at: state.offset, isLast: isLast)
            // If the server disagrees about the offset, it can then reject the request before it receives the bytes.
            if asksFirst, count > 0 { next.headers["Expect"] = "100-continue" }
        }
        request = next
    }

    private func begin(_ request: inout HTTPRequest, _ content: UploadContent?, _ options: ResumableUploadOptions) {
        guard let content else { return }
        request.body = .data(Data())
        var metadata = options.metadata
        metadata["filename"] = metadata["filename"] ?? content.name
        metadata["filetype"] = metadata["filetype"] ?? request.headers["Content-Type"]
        for dialect in options.uploadProtocol.offered {
            dialect.begin(&request.headers, length: content.length, metadata: metadata)
        }
    }

    /// Whether a status indicates a problem with the connection to the server or its use, and not with the content.
    static func isAboutConnection(_ status: Int) -> Bool { [408, 409, 423, 429, 502, 503, 504].contains(status) }
}

extension HTTPRequest {
    /// Identifies the request for a state. The query can contain a new signature each time.
    var identity: String { "\(method.rawValue) \(source)" }

    /// Returns the request for an upload at a URL from the server, without content.
    func addressed(
        to link: ServerLink,
        _ options: ResumableUploadOptions,
        _ rules: RequestRules
    ) throws(NetworkError) -> HTTPRequest {
        var request = self
        request.body = .absent
        request.headers.removeAll(where: Self.isAboutTheFirstRequest)
        let isForeign = !link.url.hasSameOrigin(as: url)
        if isForeign, !options.allowsOtherOrigins, !rules.trustedOrigins.contains(where: link.url.hasSameOrigin) {
            let reason = "the upload is at another origin; ResumableUploadOptions.allowsOtherOrigins allows that"
            throw NetworkError(kind: .invalidRequest, reason: reason, request: request)
        }
        return try request.following(link, by: rules)
    }

    /// Whether a header describes the content or the conditions of the request that creates an upload.
    private static func isAboutTheFirstRequest(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("content-") || name.hasPrefix("if-")
            || ["digest", "repr-digest", "expect", "range", "idempotency-key"].contains(name)
    }
}
