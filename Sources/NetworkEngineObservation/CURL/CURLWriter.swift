import Foundation
public import NetworkEngine

/// Writes a request as a cURL command.
struct CURLWriter {
    private let request: HTTPRequest
    private let body: CURLBody

    init(_ request: HTTPRequest, body: CURLBody) { (self.request, self.body) = (request, body) }

    var command: String {
        var lines = ["curl" + options + " " + ShellText.quoted(address)]
        lines += request.headers.compactMap(header).map { "-H " + ShellText.quoted($0) }
        lines += transportHeaders.map { "-H " + ShellText.quoted($0) }
        let input = body.standardInput
        if let argument = body.argument(withStandardInput: input != nil) { lines.append(argument) }
        let command = lines.joined(separator: " \\\n  ")
        return input.map { $0 + " | " + command } ?? command
    }

    private var options: String {
        var options = ""
        let address = request.url.absoluteString
        // cURL expands brackets and braces, and resolves dots.
        if address.contains(where: { "[]{}".contains($0) }) { options += " --globoff" }
        if address.contains("/.") { options += " --path-as-is" }
        let method = request.method.rawValue
        if method == "HEAD", body.isEmpty { return options + " --head" }
        let implied = body.isEmpty ? "GET" : "POST"
        return method == implied ? options : options + " -X " + ShellText.quoted(method, ifNeeded: true)
    }

    /// The address without its fragment, which is never sent.
    private var address: String { String(request.url.absoluteString.prefix { $0 != "#" }) }

    private func header(_ field: HTTPHeaders.Field) -> String? {
        // These would contradict the body.
        let isOwned = ["Content-Length", "Transfer-Encoding", "Connection"].contains {
            $0.equalsIgnoringASCIICase(field.name)
        }
        if isOwned { return nil }
        return field.wireValue.isEmpty ? field.name + ";" : field.name + ": " + field.value
    }

    /// Transport headers that cURL would omit, or send with other values.
    private var transportHeaders: [String] {
        if body.isEmpty { return request.method.announcesLength ? ["Content-Length: 0"] : [] }
        var lines: [String] = []
        if !request.headers.contains("Content-Type") { lines.append("Content-Type: application/octet-stream") }
        if body.isLong, !request.headers.contains("Expect") { lines.append("Expect:") }
        return lines
    }
}

extension HTTPRequest {
    /// A cURL command that sends this request, for any POSIX shell.
    ///
    /// ```swift
    /// print(request.curlCommand())
    /// // curl -X PUT 'https://api.test/users/7' \
    /// //   -H 'Authorization: <redacted>' \
    /// //   -H 'Content-Type: application/json' \
    /// //   --data-raw '{"name":"Ada"}'
    /// ```
    /// Secrets are replaced by `<redacted>`. Binary data and large bodies are piped into cURL. A file body, or a file
    /// part of a multipart body, is read from its file when the command runs. For a stream body, the command sends its
    /// standard input.
    ///
    /// The command contains the request's headers. A request as sent, such as the request in an ``HTTPResponse``, also
    /// has the headers that interceptors added; cURL adds transport headers such as `Host`. Values that a server chose,
    /// such as an `ETag`, remain plain text in it.
    ///
    /// - Parameter redacting: pass `false` for a command that contains all secrets and can be run.
    public func curlCommand(redacting: Bool = true) -> String {
        let body = CURLBody(body)
        guard redacting else { return CURLWriter(self, body: body).command }
        var marked = body.markingFiles()
        // Secrets in an unsupported content coding could not be found.
        if !BodyCoding.canRead(marked.data, coding: headers["Content-Encoding"]) {
            marked = CURLBody.input.markingFiles()
        }
        var request = self
        request.body = body.isEmpty ? .absent : .data(marked.data)
        var redactor = MessageRedactor()
        let redacted = redactor.redact(request)
        let clean = SecretScrubber(found: redactor.secrets).scrub(HARRequest(redacted)).request ?? redacted
        return CURLWriter(clean, body: body.isEmpty ? body : marked.body(with: clean.body.data ?? Data())).command
    }
}
