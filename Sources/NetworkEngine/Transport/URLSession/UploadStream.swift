import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

/// Gives URLSession exactly as many bytes of a body as were announced.
///
/// With one byte too few the server waits forever; one byte too many counts as the next request. `read` runs on the
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
    /// Whether a file can be read again after its name was removed.
    static var outlivesItsName: Bool { true }

    func makeStream() -> InputStream? { UploadStream(self) }

    /// Returns no stream for a second sending: after a lost connection the platform takes the bytes and, once in
    /// thousands of times, never sends them. The exchange starts a new task instead.
    func makeStreamForResending() -> InputStream? {
        noteWantedAgain()
        return nil
    }

    /// Ignores the session's number, which counts a second sending twice here. The stream itself counts correctly.
    func sessionSays(sent count: Int64) {}

    /// Sets the body of a request, with its length.
    ///
    /// Only a stream survives a reset, a cancellation and a second sending. `Transfer-Encoding` with a blank in it
    /// keeps the platform from announcing chunks as well.
    func attach(to request: inout URLRequest) {
        request.setValue(String(length), forHTTPHeaderField: "Content-Length")
        request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        request.httpBodyStream = makeStream()
    }
}
#else
extension UploadBody {
    /// Whether a file can be read again after its name was removed.
    static var outlivesItsName: Bool { false }

    func makeStreamForResending() -> InputStream? { makeStream() }

    func sessionSays(sent count: Int64) { note(sent: count) }

    func makeStream() -> InputStream? {
        switch source {
        case .data(let data): InputStream(data: data)
        case .file(let file): InputStream(fileAtPath: file.path)
        case .segments: pumpedStream()
        }
    }

    /// A stream that a Dispatch thread fills while it is read. A stream that reads for itself cannot be made here.
    private func pumpedStream() -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: 256 << 10, inputStream: &input, outputStream: &output)
        guard let output else { return nil }
        // A stream is not Sendable, but only the pump uses it from here on.
        let held = Locked(output)
        DispatchQueue.global().async { self.pump(into: held.withLock { $0 }) }
        return input
    }

    private func pump(into output: OutputStream) {
        output.open()
        defer { output.close() }
        var offset: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while offset < length {
            do {
                var rest = try buffer.withUnsafeMutableBytes { try read(into: $0, at: offset) }
                offset += Int64(rest)
                while rest > 0 {
                    let start = buffer.startIndex
                    let written = buffer.withUnsafeBufferPointer { bytes in
                        bytes.baseAddress.map { output.write($0, maxLength: rest) } ?? 0
                    }
                    guard written > 0 else { return }
                    buffer.replaceSubrange(start..<start + rest - written, with: buffer[written..<rest])
                    rest -= written
                }
            } catch {
                return note(failure: error)
            }
        }
    }

    /// Sets the body of a request, with its length.
    func attach(to request: inout URLRequest) {
        if case .data(let data) = source {
            request.httpBody = data
        } else {
            request.setValue(String(length), forHTTPHeaderField: "Content-Length")
            request.httpBodyStream = makeStream()
        }
    }
}
#endif
