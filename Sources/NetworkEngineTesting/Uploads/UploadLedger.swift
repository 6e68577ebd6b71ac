import Foundation
import NetworkEngine
import NetworkEngineMocks

/// An upload server's state, and its answers without a connection.
struct UploadLedger: Sendable {
    /// Permission to append, until the next request for the same upload.
    struct Ticket: Sendable {
        let number: Int
        fileprivate let use: Int
        /// Whether the upload is complete after these bytes.
        let isLast: Bool
    }

    /// How to handle a request.
    enum Decision: Sendable {
        case answer(UploadAnswer)
        /// Returns an upload's offset, once no interrupted request for it is being received.
        case locate(Int)
        /// Receives the body, as the ticket allows.
        case receive(Ticket, first: LoopbackResponse.Interim?)
    }

    let dialect: LoopbackUpload.Dialect
    let path: String
    let folder: URL
    /// By number; `nil` for forgotten uploads.
    private(set) var uploads: [LoopbackUpload?] = []
    private var uses: [Int] = []
    /// The number of bodies being received, by upload.
    private var receptions: [Int] = []
    /// The number of bytes received in bodies.
    private(set) var receivedBytes: Int64 = 0

    init(_ dialect: LoopbackUpload.Dialect, at path: String, folder: URL) {
        (self.dialect, self.path, self.folder) = (dialect, path, folder)
    }

    // MARK: Requests

    /// Decides how to handle an upload request; `nil` for other requests.
    mutating func decide(_ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders) -> Decision? {
        if path == self.path { return method == .post ? begin(headers) : .answer(.init(405)) }
        guard path.hasPrefix(self.path + "/"), let number = Int(path.dropFirst(self.path.count + 1)) else { return nil }
        guard dialect.isSpoken(in: headers) else { return .answer(refusal) }
        guard uploads.indices.contains(number), let upload = uploads[number] else { return .answer(answer(404)) }
        if method == .head { return .locate(number) }
        // A request that is still being received ends here: its bytes would arrive at the wrong offset.
        uses[number] += 1
        switch method {
        case .delete:
            uploads[number] = nil
            return .answer(answer(204))
        case .patch: return append(upload, headers)
        default: return .answer(answer(405))
        }
    }

    private mutating func begin(_ headers: HTTPHeaders) -> Decision {
        guard dialect.isSpoken(in: headers) else { return .answer(refusal) }
        let length = headers["Upload-Length"].flatMap { Int64($0) }
        if dialect == .tus, length == nil { return .answer(answer(400)) }
        let number = uploads.count
        let file = folder.appendingPathComponent("upload-\(number)")
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else { return .answer(answer(500)) }
        var upload = LoopbackUpload(number: number, headers: headers, length: length, file: file)
        upload.isComplete = dialect == .tus && length == 0
        uploads.append(upload)
        uses.append(0)
        receptions.append(0)
        let location: HTTPHeaders = ["Location": "\(path)/\(number)"]
        if dialect == .tus { return .answer(answer(201, about: upload).adding(location)) }
        let first = LoopbackResponse.Interim(104, headers: answer(104).headers.merging(location))
        return .receive(Ticket(number: number, use: 0, isLast: dialect.isLast(headers)), first: first)
    }

    private func append(_ upload: LoopbackUpload, _ headers: HTTPHeaders) -> Decision {
        if let type = dialect.appendedType, headers["Content-Type"] != type { return .answer(answer(415)) }
        guard headers["Upload-Offset"] == "\(upload.offset)", !upload.isComplete else {
            return .answer(answer(409, about: upload))
        }
        return .receive(
            Ticket(number: upload.number, use: uses[upload.number], isLast: dialect.isLast(headers)), first: nil)
    }

    /// The answer to an offset query; `nil` while bytes of an earlier request arrive.
    func located(_ number: Int) -> UploadAnswer? {
        if receptions[number] > 0 { return nil }
        return uploads[number].map { answer(dialect == .tus ? 200 : 204, about: $0) } ?? answer(404)
    }

    // MARK: Bodies

    mutating func beginReceiving(_ ticket: Ticket) { receptions[ticket.number] += 1 }

    mutating func endReceiving(_ ticket: Ticket) { receptions[ticket.number] -= 1 }

    /// Adds bytes to an upload. Returns whether it accepts more.
    mutating func add(_ piece: Data, _ ticket: Ticket) throws -> Bool {
        receivedBytes += Int64(piece.count)
        guard isValid(ticket), let upload = uploads[ticket.number] else { return false }
        if let length = upload.length, upload.offset + Int64(piece.count) > length { return false }
        let file = try FileHandle(forWritingTo: upload.file)
        try file.seek(toOffset: UInt64(upload.offset))
        try file.write(contentsOf: piece)
        try file.close()
        uploads[ticket.number]?.offset += Int64(piece.count)
        return true
    }

    /// The request body has ended. Returns the answer, or the upload if it is complete.
    mutating func end(_ ticket: Ticket) -> (answer: UploadAnswer?, finished: LoopbackUpload?) {
        guard isValid(ticket), let upload = uploads[ticket.number] else { return (answer(409), nil) }
        let isComplete = dialect == .tus ? upload.offset == upload.length : ticket.isLast
        if isComplete {
            uploads[ticket.number]?.isComplete = true
            return (nil, uploads[ticket.number])
        }
        let isNew = uses[ticket.number] == 0
        let answer = answer(isNew ? 201 : 204, about: upload)
        return (isNew ? answer.adding(["Location": "\(path)/\(upload.number)"]) : answer, nil)
    }

    private func isValid(_ ticket: Ticket) -> Bool {
        uses.indices.contains(ticket.number) && uses[ticket.number] == ticket.use
    }

    // MARK: Changes by a test

    mutating func forget() { uploads = uploads.map { _ in nil } }

    mutating func cut(to offset: Int64) {
        for number in uploads.indices {
            uses[number] += 1
            guard let upload = uploads[number], upload.offset > offset else { continue }
            uploads[number]?.offset = offset
        }
    }

    // MARK: Answers

    private var refusal: UploadAnswer { answer(dialect == .tus ? 412 : 400) }

    func answer(_ status: Int, about upload: LoopbackUpload? = nil) -> UploadAnswer {
        UploadAnswer(status, dialect.headers(about: upload))
    }
}

/// A status with headers: the answer to an upload request.
struct UploadAnswer: Sendable {
    let status: Int
    var headers: HTTPHeaders

    init(_ status: Int, _ headers: HTTPHeaders = [:]) { (self.status, self.headers) = (status, headers) }

    func adding(_ other: HTTPHeaders) -> UploadAnswer { UploadAnswer(status, headers.merging(other)) }
}

extension LoopbackUpload.Dialect {
    fileprivate func isSpoken(in headers: HTTPHeaders) -> Bool {
        switch self {
        case .tus: headers["Tus-Resumable"] == "1.0.0"
        case .draft(let version): headers["Upload-Draft-Interop-Version"] == "\(version)"
        }
    }

    fileprivate var appendedType: String? {
        switch self {
        case .tus: "application/offset+octet-stream"
        case .draft(let version): version >= 6 ? "application/partial-upload" : nil
        }
    }

    fileprivate func isLast(_ headers: HTTPHeaders) -> Bool {
        guard case .draft(let version) = self else { return false }
        return version < 4 ? headers["Upload-Incomplete"] == "?0" : headers["Upload-Complete"] == "?1"
    }

    func headers(about upload: LoopbackUpload?) -> HTTPHeaders {
        var headers: HTTPHeaders =
            switch self {
            case .tus: ["Tus-Resumable": "1.0.0"]
            case .draft(let version): ["Upload-Draft-Interop-Version": "\(version)"]
            }
        guard let upload else { return headers }
        headers["Cache-Control"] = "no-store"
        headers["Upload-Offset"] = "\(upload.offset)"
        headers["Upload-Length"] = upload.length.map { "\($0)" }
        guard case .draft(let version) = self else { return headers }
        if version < 4 {
            headers["Upload-Incomplete"] = upload.isComplete ? "?0" : "?1"
        } else {
            headers["Upload-Complete"] = upload.isComplete ? "?1" : "?0"
        }
        return headers
    }
}
