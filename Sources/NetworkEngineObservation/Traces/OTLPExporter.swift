import Dispatch
public import Foundation
public import NetworkEngine

/// Writes spans to a file or sends them to a collector, in OpenTelemetry's JSON protocol format.
///
/// ```swift
/// let exporter = OTLPExporter(sendingTo: URL(string: "http://localhost:4318/v1/traces")!)
/// let spans = SpanRecorder(exporting: exporter.export)
/// ```
/// In a file, each batch is a line. A collector receives a POST request for each batch; a batch that it rejects is
/// dropped. If the collector is busy, the batch is sent again. A redirect is followed only if it preserves the request,
/// as 307 and 308 do.
public struct OTLPExporter: Sendable {
    private enum Destination: Sendable {
        case file(URL)
        case collector(HTTPRequest, RequestEngine)
    }

    /// The program's attributes. Without a `service.name`, the process name is used.
    public var resource: [String: TraceSpan.Attribute]
    /// Receives the error of each batch that is lost, or that the collector may have kept only in part.
    public var onFailure: (@Sendable (any Error) -> Void)?
    private let destination: Destination

    /// Creates an exporter that appends to a file, and creates the file if it does not exist.
    public init(
        appendingTo file: URL,
        resource: [String: TraceSpan.Attribute] = [:],
        onFailure: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.init(.file(file), resource, onFailure)
    }

    /// Creates an exporter that sends batches to a collector.
    ///
    /// - Parameters:
    ///   - headers: the request headers, such as the collector's API key.
    ///   - configuration: the requests' configuration. Its observers are not used. Without a deadline, a batch may take
    ///     10 seconds.
    public init(
        sendingTo url: URL,
        headers: HTTPHeaders = [:],
        resource: [String: TraceSpan.Attribute] = [:],
        configuration: NetworkConfiguration = NetworkConfiguration(),
        onFailure: (@Sendable (any Error) -> Void)? = nil
    ) {
        var request = HTTPRequest(method: .post, url: url, headers: ["Content-Type": "application/json"])
        request.headers.merge(headers)
        var configuration = configuration
        // Exporting a span must not create another span.
        configuration.observers = []
        configuration.deadline = configuration.deadline ?? .seconds(10)
        configuration.limits.bodyInMemory = min(configuration.limits.bodyInMemory, 1 << 16)
        configuration.redirects.decision = configuration.redirects.decision ?? { $1.method == .post ? $1 : nil }
        // If the collector receives a span twice, it recognizes the identifier.
        var retry = RetryPolicy()
        retry.methods.insert(.post)
        retry.statuses = [429, 502, 503, 504]
        let engine = RequestEngine(interceptors: [retry], configuration: configuration)
        self.init(.collector(request, engine), resource, onFailure)
    }

    /// Creates an exporter that sends batches to a collector, with headers in a dictionary.
    @_disfavoredOverload
    public init(
        sendingTo url: URL,
        headers: some TargetHeaders,
        resource: [String: TraceSpan.Attribute] = [:],
        configuration: NetworkConfiguration = NetworkConfiguration(),
        onFailure: (@Sendable (any Error) -> Void)? = nil
    ) {
        self.init(
            sendingTo: url, headers: HTTPHeaders(declared: headers), resource: resource, configuration: configuration,
            onFailure: onFailure)
    }

    private init(
        _ destination: Destination,
        _ resource: [String: TraceSpan.Attribute],
        _ onFailure: (@Sendable (any Error) -> Void)?
    ) {
        self.destination = destination
        self.resource = resource
        self.onFailure = onFailure
        if resource["service.name"] == nil {
            self.resource["service.name"] = .string("unknown_service:\(ProcessInfo.processInfo.processName)")
        }
    }

    /// Exports spans. Returns when they are written, or when the collector has responded.
    public func export(_ spans: [TraceSpan]) {
        do {
            let line = try OTLPDocument(spans, resource: resource).line()
            switch destination {
            case .file(let file): try Self.append(line + Data("\n".utf8), to: file)
            case .collector(var request, let engine):
                request.body = .data(line)
                try Self.send(request, by: engine)
            }
        } catch {
            onFailure?(error)
        }
    }

    private static func append(_ line: Data, to file: URL) throws {
        if !FileManager.default.fileExists(atPath: file.path) { try Data().write(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        let end = try handle.seekToEnd()
        do {
            try handle.write(contentsOf: line)
        } catch {
            // The next batch must not be appended to this line.
            try? handle.truncate(atOffset: end)
            throw error
        }
    }

    /// Blocks the thread. A recorder exports on a queue's thread, where no task runs.
    private static func send(_ request: HTTPRequest, by engine: RequestEngine) throws {
        let ended = DispatchSemaphore(value: 0)
        let outcome = Locked<Result<HTTPResponse, any Error>>(.failure(CancellationError()))
        Task {
            do {
                let response = try await engine.value(of: request, engine.options(), decoding: .response)
                outcome.withLock { $0 = .success(response) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            ended.signal()
        }
        ended.wait()
        try outcome.withLock { $0 }.get().checkAcceptance()
    }
}

/// A collector's response when it does not keep all spans.
private struct PartialAnswer: Decodable {
    struct Rejection: Decodable {
        let rejectedSpans: Count?
        let errorMessage: String?
    }

    /// A number, which the protocol's JSON format writes as a string.
    struct Count: Decodable {
        let value: Int64

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = try (try? container.decode(Int64.self)) ?? Int64(container.decode(String.self)) ?? 0
        }
    }

    let partialSuccess: Rejection?
}

extension HTTPResponse {
    fileprivate func checkAcceptance() throws(NetworkError) {
        guard let data = body.data, let answer = try? JSONDecoder().decode(PartialAnswer.self, from: data),
            let rejection = answer.partialSuccess, let count = rejection.rejectedSpans?.value, count > 0
        else { return }
        let message = rejection.errorMessage.map { ": " + Redaction.describe(text: $0, hiding: request.secrets) } ?? ""
        let reason = Redaction.shortened("the collector rejected \(count) spans\(message)")
        throw NetworkError(kind: .invalidResponse, reason: reason, response: self)
    }
}
