// Foundation's WebSocket tasks. On Linux their enums are closed; here they are open, as in every SDK module.
public import Foundation
public import FoundationNetworking

open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
    public enum CloseCode: Int, Sendable {
        case invalid = 0
        case normalClosure = 1000
        case goingAway = 1001
        case protocolError = 1002
        case unsupportedData = 1003
        case noStatusReceived = 1005
        case abnormalClosure = 1006
        case invalidFramePayloadData = 1007
        case policyViolation = 1008
        case messageTooBig = 1009
        case mandatoryExtensionMissing = 1010
        case internalServerError = 1011
        case tlsHandshakeFailure = 1015
    }

    public enum Message: Sendable {
        case data(Data)
        case string(String)
    }

    open var maximumMessageSize: Int {
        get { 0 }
        set {}
    }
    open var closeCode: CloseCode { .invalid }
    open var closeReason: Data? { nil }
    public func send(_ message: Message, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    public func send(_ message: Message) async throws {}
    public func receive(completionHandler: @escaping @Sendable (Result<Message, any Error>) -> Void) {}
    public func receive() async throws -> Message { .string("") }
    open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {}
    open func cancel(with closeCode: CloseCode, reason: Data?) {}
}

public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?)
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
}

extension URLSession {
    // `.ci/apple-sources` renames calls to this one, because the Linux methods have the original name.
    public func webSocketTask_ofSDK(with request: URLRequest) -> URLSessionWebSocketTask {
        preconditionFailure("A stub")
    }
}
