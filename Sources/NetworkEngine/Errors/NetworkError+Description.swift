import Foundation

extension NetworkError {
    /// A message for an app's users, without addresses, statuses and technical terms.
    ///
    /// An app translates it with a strings table named `NetworkEngine` in its main bundle. The article "Error messages
    /// for people" lists the keys.
    public var errorDescription: String? { ErrorSentence(self).text() }

    /// A text for logs: the error's kind, its reason, the request, the number of attempts, and the figures.
    public var description: String {
        var text = headline
        if !reason.isEmpty { text += ": \(Redaction.describe(text: reason, hiding: request?.secrets))" }
        if let request { text += " (\(request))" }
        if let cause { text += "; \(cause)" }
        if attempts.count > 1 { text += "; \(attempts.count) attempts" }
        let figures = figures.description
        if !figures.isEmpty { text += "; \(figures)" }
        return text
    }

    public var debugDescription: String {
        ([description] + attempts.map { "  \($0)" }).joined(separator: "\n")
    }

    public var customMirror: Mirror { Mirror(self, children: ["error": debugDescription], displayStyle: .struct) }

    private var headline: String {
        switch kind {
        case .cancelled: "Cancelled"
        case .invalidRequest: "Invalid request"
        case .encoding: "The request could not be encoded"
        case .offline: "No network"
        case .connection: "Connection failed"
        case .tls: "No trusted connection"
        case .timeout: "Timed out"
        case .protocolViolation: "The server broke the protocol"
        case .redirect: "Redirect refused"
        case .limit: "Limit exceeded"
        case .status: "Unacceptable response" + (statusCode.map { ", status \($0)" } ?? "")
        case .decoding: "The response could not be decoded"
        case .emptyBody: "The response has no body"
        case .invalidResponse: "Invalid response"
        case .authentication: "Authentication failed"
        case .interceptor: "An interceptor failed"
        case .transport: "The transport failed"
        case .unsupported: "Unsupported"
        }
    }

    /// The cause without data from the exchange. Errors of other modules appear only with their type and code.
    private var cause: String? {
        switch underlying {
        case nil: nil
        case let error as NetworkError: "caused by: \(error.description)"
        case is DecodingError, is EncodingError: nil
        case let error?: "caused by \(type(of: error))" + code(of: error)
        }
    }

    private func code(of error: any Error) -> String {
        guard let error = error as? any CustomNSError else { return "" }
        return " \(error.errorCode)"
    }
}
