import CLibcurl
import NetworkEngine

/// A connection opened by libcurl. The package sends and receives its bytes itself.
///
/// The socket thread does all I/O. Other threads request it here and wait for its result, unless bytes can be sent
/// immediately.
final class CurlSocket: ByteChannel {
    /// Commands from other threads to the socket thread.
    enum Command: Sendable {
        case connect(CurlSocket)
        /// There is something to send or receive, or the socket was closed.
        case attend(CurlSocket)
        case shutDown
    }

    typealias Mailbox = CurlMailbox<Command>
    typealias Receipt = OneShot<Result<Void, NetworkError>>
    typealias Delivery = OneShot<Result<[UInt8]?, NetworkError>>

    /// Bytes being sent.
    struct Sending: Sendable {
        let bytes: [UInt8]
        var sent = 0
        let receipt: Receipt
    }

    private struct State {
        /// Why the socket was closed.
        var failure: NetworkError?
        /// Why nothing can be sent. Data from the other end may still be read.
        var sendFailure: NetworkError?
        var sendings: [Sending] = []
        var taken = 0
        var delivery: Delivery?
        /// The open connection. Its handle lives until `detach()`.
        var line: (group: CurlSocketGroup, easy: OpaquePointer)?
    }

    let request: CurlRequest
    let isForeign: Bool
    private let connection = Receipt()
    private let state = Locked(State())
    private let mailbox: Mailbox
    /// Retained while the socket is open: releasing a transport does not close it.
    private let owner: any AnyObject & Sendable

    init(
        _ request: HTTPRequest,
        resolution: [UInt8],
        mailbox: Mailbox,
        keeping owner: any AnyObject & Sendable
    ) {
        self.request = CurlRequest(request, hasBody: false, decodes: false, resolution: resolution)
        isForeign = request.secrets?.isForeign == true
        self.mailbox = mailbox
        self.owner = owner
    }

    // MARK: Other threads

    /// Opens the connection, with TLS if the URL requires it.
    func connect() async throws(NetworkError) {
        guard mailbox.post(.connect(self)) else { throw .socketsShutDown }
        try await value(of: connection)
    }

    var sendsAtOnce: Bool { true }

    var taken: Int { state.withLock { $0.taken } }

    func send(_ bytes: [UInt8]) async throws(NetworkError) {
        if let receipt = try begin(bytes) { try await value(of: receipt) }
    }

    func begin(_ bytes: [UInt8]) throws(NetworkError) -> Receipt? {
        let receipt = try state.withLock { state throws(NetworkError) -> Receipt? in
            if let failure = state.failure ?? state.sendFailure { throw failure }
            var sent = 0
            // The lock keeps the connection open during this.
            if state.sendings.isEmpty, let line = state.line {
                sent = line.group.sendAtOnce(bytes, on: line.easy)
                state.taken += sent
                if sent == bytes.count { return nil }
            }
            let receipt = Receipt()
            state.sendings.append(Sending(bytes: bytes, sent: sent, receipt: receipt))
            return receipt
        }
        guard receipt == nil || mailbox.post(.attend(self)) else { throw .socketsShutDown }
        return receipt
    }

    func receive() async throws(NetworkError) -> [UInt8]? {
        let delivery = Delivery()
        try state.withLock { state throws(NetworkError) in
            if let failure = state.failure { throw failure }
            state.delivery = delivery
        }
        guard mailbox.post(.attend(self)) else { throw .socketsShutDown }
        return try await value(of: delivery)
    }

    func close() {
        fail(NetworkError(kind: .cancelled))
        _ = mailbox.post(.attend(self))
    }

    private func value<Value>(of shot: OneShot<Result<Value, NetworkError>>) async throws(NetworkError) -> Value {
        let result: Result<Value, NetworkError>
        do throws(CancellationError) {
            result = try await shot.wait()
        } catch {
            throw NetworkError(kind: .cancelled)
        }
        return try result.get()
    }

    // MARK: The socket thread

    /// Whether the socket was closed, here or by a failure.
    var isClosed: Bool { state.withLock { $0.failure != nil } }

    /// The events that the socket waits for.
    var wanted: Int {
        state.withLock { ($0.delivery == nil ? 0 : LC_WATCH_IN) | ($0.sendings.isEmpty ? 0 : LC_WATCH_OUT) }
    }

    func connected(_ group: CurlSocketGroup, _ easy: OpaquePointer) {
        state.withLock { $0.line = (group, easy) }
        connection.settle(.success(()))
    }

    /// The connection is about to be closed.
    func detach() { state.withLock { $0.line = nil } }

    /// The bytes to send next, and how many of them were sent.
    var sending: Sending? { state.withLock { $0.sendings.first } }

    func sent(_ count: Int) {
        let done = state.withLock { state -> Receipt? in
            state.taken += count
            guard !state.sendings.isEmpty else { return nil }
            state.sendings[0].sent += count
            guard state.sendings[0].sent >= state.sendings[0].bytes.count else { return nil }
            return state.sendings.removeFirst().receipt
        }
        done?.settle(.success(()))
    }

    var wantsToReceive: Bool { state.withLock { $0.delivery != nil } }

    /// Delivers bytes; `nil` if the other end has finished.
    func received(_ bytes: [UInt8]?) { state.withLock { $0.delivery.take() }?.settle(.success(bytes)) }

    /// Stops sending. Waiting and later calls throw the error.
    func failSending(_ error: NetworkError) {
        let sendings = state.withLock { state in
            state.sendFailure = error
            defer { state.sendings = [] }
            return state.sendings
        }
        for sending in sendings { sending.receipt.settle(.failure(error)) }
    }

    /// Closes the socket. Waiting calls throw the error.
    func fail(_ error: NetworkError) {
        let old = state.withLock { state in
            state.failure = state.failure ?? error
            defer { (state.sendings, state.delivery) = ([], nil) }
            return state
        }
        connection.settle(.failure(error))
        for sending in old.sendings { sending.receipt.settle(.failure(error)) }
        old.delivery?.settle(.failure(error))
    }
}

extension NetworkError {
    static var socketsShutDown: NetworkError { NetworkError(kind: .cancelled, reason: "the transport was shut down") }
}
