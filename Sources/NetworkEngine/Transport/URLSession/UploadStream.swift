import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

/// Provides URLSession with exactly as many bytes of a body as were announced.
///
/// If one byte is missing, the server waits forever; an extra byte counts as the next request. `read` runs on the
/// network queue of the whole process and never waits.
final class UploadStream: InputStream {
    private let body: UploadBody
    private var offset: Int64 = 0
    private var status = Stream.Status.notOpen

    init(_ body: UploadBody) {
        self.body = body
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { body.failure }
    override var hasBytesAvailable: Bool { status != .error && offset < body.length }

    override func open() { status = .open }
    override func close() { status = .closed }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        do {
            let count = try body.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: maxLength), at: offset)
            offset += Int64(count)
            body.note(sent: offset)
            if offset >= body.length { status = .atEnd }
            return count
        } catch {
            status = .error
            body.note(failure: error)
            return -1
        }
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool { false }
}

extension UploadBody {
    func makeStream() -> InputStream? { UploadStream(self) }

    /// Returns no stream for resending: after a lost connection the platform takes the bytes and, once in thousands of
    /// times, never sends them. The exchange starts a new task instead.
    func makeStreamForResending(orFail fail: @escaping @Sendable () -> Void) -> InputStream? {
        noteWantedAgain()
        return nil
    }

    /// Ignores the session's number, which counts a resend twice here. The stream itself counts correctly.
    func sessionSays(sent count: Int64) {}

    /// Sets a request's body and its length.
    ///
    /// Only a stream survives a reset, a cancellation and a resend. `Transfer-Encoding` with a blank in it prevents the
    /// platform from also announcing chunks.
    ///
    /// - Parameter fail: not called here: the stream notifies the session.
    func attach(to request: inout URLRequest, orFail fail: @escaping @Sendable () -> Void) {
        request.setValue(String(length), forHTTPHeaderField: "Content-Length")
        request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        request.httpBodyStream = makeStream()
    }
}
#else
extension UploadBody {
    func makeStreamForResending(orFail fail: @escaping @Sendable () -> Void) -> InputStream? {
        makeStream(orFail: fail)
    }

    func sessionSays(sent count: Int64) { note(sent: count) }

    /// Returns a stream of exactly the announced bytes, which is filled while it is read.
    ///
    /// The system's own file stream would also send bytes appended to the file later, and a stream that reads on demand
    /// cannot be created here.
    private func makeStream(orFail fail: @escaping @Sendable () -> Void) -> InputStream? {
        if case .data(let data) = source { return InputStream(data: data) }
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: 256 << 10, inputStream: &input, outputStream: &output)
        guard let output else { return nil }
        let feeder = StreamFeeder(self, output, fail)
        if fed(by: feeder) { feeder.start() }
        return input
    }

    /// Sets a request's body and its length.
    ///
    /// - Parameter fail: called if the body becomes unreadable while it is sent.
    func attach(to request: inout URLRequest, orFail fail: @escaping @Sendable () -> Void) {
        if case .data(let data) = source {
            request.httpBody = data
        } else {
            request.setValue(String(length), forHTTPHeaderField: "Content-Length")
            request.httpBodyStream = makeStream(orFail: fail)
        }
    }
}

/// Fills the stream for one send whenever it has room, on its own queue: no thread waits for a session that does not
/// read.
private final class StreamFeeder: NSObject, StreamDelegate, BodyFeeder {
    private struct State {
        /// Taken by the queue while it writes.
        var pump: BodyPump?
        var output: OutputStream?
    }

    private let queue = DispatchQueue(label: "NetworkEngine.URLSession.body")
    private let state: Locked<State>
    private let fail: @Sendable () -> Void

    init(_ body: UploadBody, _ output: OutputStream, _ fail: @escaping @Sendable () -> Void) {
        state = Locked(State(pump: BodyPump(body), output: output))
        self.fail = fail
    }

    /// The stream does not retain its delegate. The body does, until the exchange is over.
    func start() {
        queue.async {
            guard let output = self.state.withLock({ $0.output }) else { return }
            output.delegate = self
            CFWriteStreamSetDispatchQueue(output as CFWriteStream, self.queue)
            output.open()
        }
    }

    func stop() { queue.async { self.close() } }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasSpaceAvailable: fill()
        case .errorOccurred, .endEncountered: close()
        default: break
        }
    }

    private func fill() {
        let (taken, output) = state.withLock { ($0.pump.take(), $0.output) }
        guard var pump = taken, let output else { return }
        let step = pump.fill(while: { output.hasSpaceAvailable }) { bytes in
            bytes.baseAddress.map { output.write($0, maxLength: bytes.count) } ?? 0
        }
        switch step {
        case .full: state.withLock { $0.pump = pump }
        case .end: close()
        // Ending the stream would end the body, which is shorter than announced.
        case .unreadable: fail()
        }
    }

    private func close() {
        let output = state.withLock { state in
            state.pump = nil
            return state.output.take()
        }
        guard let output else { return }
        output.delegate = nil
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
        output.close()
    }
}
#endif
