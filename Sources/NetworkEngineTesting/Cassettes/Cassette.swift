public import Foundation
import NetworkEngine
import NetworkEngineObservation

/// A file of recorded exchanges to play back instead of sending real requests.
///
/// ```swift
/// let cassette = try Cassette("users")                       // Cassettes/users.har beside this source file
/// configuration.transport = cassette.transport()             // records the first time, plays ever after
/// …
/// try cassette.checkAllUsed()
/// ```
/// The file is HAR 1.2, the format that browsers export, so you can also play a recording from a browser. A request
/// without a matching exchange fails; the error describes the closest exchange and the differences.
///
/// Secrets are removed before a recording is written, even from `gzip` and `deflate` bodies. They are found by the
/// names of headers, query items, form fields, XML elements, CSV columns and JSON members, including
/// `NetworkConfiguration.secretNames`, and by the format of common tokens. A removed value, or a value that an
/// interceptor added, is then removed everywhere else in the recording. A placeholder in a recorded request matches any
/// value. An exchange fails and is not recorded if its body has another content coding or cannot be decoded.
///
/// A short digest replaces the value of a query item with an unknown name, so that requests with different values
/// remain distinguishable. Page cursors such as `pageToken` are not secret. List other secrets in bodies in the
/// options.
///
/// Basic, Digest, Bearer and DPoP challenges are recorded, so that a played call authenticates as the recorded one did.
/// A played response has no `Authentication-Info`, because its proof is only valid for the recorded client.
///
/// The whole file is written atomically each time an exchange ends. Only the owner can read the file.
public final class Cassette: Sendable {
    /// The HAR file with the recording.
    public let file: URL
    /// When the cassette records and when it plays.
    public let mode: CassetteMode
    /// The options for matching, redaction and recording.
    public let options: CassetteOptions
    /// Whether requests without a recorded exchange are sent and recorded.
    public let isRecording: Bool
    private let tape: Locked<CassetteTape>
    private let redactor: Locked<MessageRedactor>
    /// The version of the file's content. The lock is held while the file is written.
    private let written = Locked(0)

    /// Opens a cassette.
    ///
    /// Throws when the file cannot be read, contains an exchange that is not HTTP or a body that is not in its declared
    /// encoding, or is missing in a mode that only plays.
    public init(file: URL, mode: CassetteMode = .once, options: CassetteOptions = .init()) throws(CassetteError) {
        let isThere = FileManager.default.fileExists(atPath: file.path)
        if mode == .none, !isThere { throw CassetteError(file: file, reason: "there is no such cassette") }
        self.file = file
        self.mode = mode
        self.options = options
        isRecording = mode == .all || mode == .newEpisodes || (mode == .once && !isThere)
        redactor = Locked(MessageRedactor(RedactionRules(options)))
        do {
            let entries = isThere && mode != .all ? try HARFile(Data(contentsOf: file)).log.entries : []
            for (index, entry) in entries.enumerated() {
                if let fault = entry.fault(at: index + 1) { throw CassetteError(file: file, reason: fault) }
            }
            var redactor = MessageRedactor(RedactionRules(options))
            tape = Locked(CassetteTape(entries) { redactor.redact($0) })
        } catch let error as CassetteError {
            throw error
        } catch {
            throw CassetteError(file: file, reason: "this is no HAR file: \(error)")
        }
    }

    /// Opens a cassette by name from the folder `Cassettes` next to the calling source file.
    public convenience init(
        _ name: String,
        mode: CassetteMode = .once,
        options: CassetteOptions = .init(),
        besides sourceFile: String = #filePath
    ) throws(CassetteError) {
        let folder = URL(fileURLWithPath: sourceFile).deletingLastPathComponent().appendingPathComponent("Cassettes")
        try self.init(file: folder.appendingPathComponent(name + ".har"), mode: mode, options: options)
    }

    /// The recorded exchanges that no request has used, one line each.
    public var unused: [String] { tape.withLock { $0.unused } }

    /// Throws when recorded exchanges were not used. Call it at the end of a test.
    public func checkAllUsed() throws(CassetteError) {
        let unused = unused
        if !unused.isEmpty { throw CassetteError(file: file, reason: "not every exchange was used", unused: unused) }
    }

    /// The request without secrets, as recorded and compared.
    func redacted(_ request: HTTPRequest) -> HTTPRequest {
        let redacted = redactor.withLock { $0.redact(request) }
        var scrubbed = scrubber.scrub(HARRequest(redacted)).request ?? redacted
        scrubbed.secrets = request.secrets
        return scrubbed
    }

    private var scrubber: SecretScrubber {
        SecretScrubber(found: redactor.withLock { $0.secrets }, named: options.secretValues)
    }

    /// Returns the recorded exchange for a request, or `nil` when the request should be sent.
    func play(_ request: HTTPRequest) throws(NetworkError) -> HAREntry? {
        let entry = tape.withLock {
            $0.take(for: request, matching: options.matching, allowsRepeats: options.allowsRepeats)
        }
        if entry != nil || isRecording { return entry }
        let reason = tape.withLock { $0.explanation(for: request, matching: options.matching) }
        throw NetworkError(kind: .transport, reason: reason, request: request)
    }

    /// Throws for a body that cannot be searched for secrets because its content coding cannot be decoded.
    func checkBody(
        _ body: Data?, of message: String, _ headers: HTTPHeaders, request: HTTPRequest
    ) throws(NetworkError) {
        let coding = headers["Content-Encoding"] ?? ""
        guard let body, !BodyCoding.canRead(body, coding: coding) else { return }
        let fault = "it cannot be read in its content coding \(coding.prefix(40).debugDescription) to remove secrets"
        throw NetworkError(
            kind: .transport, reason: "the cassette \(file.path) cannot record the body of the \(message): \(fault)",
            request: request)
    }

    func reserve(_ request: HTTPRequest) -> Int { tape.withLock { $0.reserve(request) } }

    func record(
        _ request: HTTPRequest, _ response: HARResponse, _ start: Date, _ metrics: ExchangeMetrics?, at index: Int
    ) throws(NetworkError) {
        var entry = HAREntry(
            request: HARRequest(request), response: redacted(response, to: request.secrets))
        if options.recordsTimes {
            entry.setTime(
                startedAt: Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(start), metrics: metrics)
        }
        tape.withLock { $0.record(entry, at: index) }
        do {
            try write()
        } catch {
            throw NetworkError(
                kind: .transport, reason: "the cassette \(file.path) cannot be written: \(error)", underlying: error)
        }
    }

    private func write() throws {
        try written.withLock { written in
            let (entries, version) = tape.withLock { ($0.entries, $0.version) }
            guard version > written else { return }
            let scrubber = scrubber
            let document = try HARFile(entries: entries.map { scrubber.scrub($0) }).document
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try BodyFile.replace(file) { try $0.write(document) }
            written = version
        }
    }

    private func redacted(_ response: HARResponse, to secrets: RequestSecrets?) -> HARResponse {
        var redacted = redactor.withLock { $0.redact(response, to: secrets) }
        let volatile = Set(options.volatileHeaders.map { $0.lowercased() })
        redacted.headers.removeAll { volatile.contains($0.name.lowercased()) }
        redacted._trailers?.removeAll { volatile.contains($0.name.lowercased()) }
        return redacted
    }
}

extension HAREntry {
    /// Why the exchange cannot be played; `nil` if it can.
    fileprivate func fault(at number: Int) -> String? {
        guard let request = request.request else {
            return "number \(number) (\(self.request.method) \(self.request.url)) has an address that is no URL"
        }
        let name = "number \(number) (\(request))"
        let bodies = [
            HARText(text: response.content.text ?? "", encoding: response.content.encoding),
            HARText(text: self.request.postData?.text ?? "", encoding: self.request.postData?._encoding),
        ]
        for body in bodies {
            if let encoding = body.encoding, !encoding.isEmpty, encoding.lowercased() != "base64" {
                return "the body of \(name) has the unknown encoding \(encoding.debugDescription)"
            }
            if body.decoded == nil { return "the body of \(name) is not Base64" }
        }
        // A failure has status 0.
        guard response.status == 0 || (100...999).contains(response.status) else {
            return "\(name) has the status \(response.status)"
        }
        let fields = HTTPHeaders(recorded: response.headers + (response._trailers ?? []))
        let wrong = fields.first { !$0.name.isToken || !$0.value.isFieldValue }
        return wrong.map { "\(name) has a header \($0.name) that is none" }
    }
}

extension RedactionRules {
    fileprivate init(_ options: CassetteOptions) {
        self.init(
            headers: options.secretHeaders, parameters: options.secretParameters, harmless: options.harmlessNames)
    }
}

/// A cassette cannot be read, or has exchanges that were not used.
public struct CassetteError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// The cassette's file.
    public let file: URL
    /// The problem.
    public let reason: String
    /// The exchanges that were not used, one line each.
    public let unused: [String]

    /// Creates an error.
    public init(file: URL, reason: String, unused: [String] = []) {
        self.file = file
        self.reason = reason
        self.unused = unused
    }

    public var description: String { ([file.path + ": " + reason] + unused.map { "  " + $0 }).joined(separator: "\n") }

    public var errorDescription: String? { description }
}
