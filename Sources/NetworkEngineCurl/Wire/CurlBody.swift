import Foundation
import NetworkEngine

/// Where the bytes of a response's body go, and how many there may be.
struct CurlBody {
    private(set) var data = Data()
    /// Decoded bytes so far.
    private(set) var received: Int64 = 0
    /// The error of the file.
    private(set) var problem: (any Error)?
    private(set) var length: Int64?
    private var limit: Int64 = 0
    private var backlog: Int64 = 0
    private var file: BodyFile?
    private var stream: StreamBuffer?
    /// Whether the reader of a stream is behind, so that nothing more is to be given to it.
    private(set) var isFull = false
    private var decoder: CurlDecoder?

    /// What a server announces is not believed beyond a mebibyte.
    private static let largestReserve: Int64 = 1 << 20

    /// The head has come: makes room.
    ///
    /// - Parameter hasBody: whether bytes may follow at all.
    mutating func begin(
        _ head: CurlHead,
        hasBody: Bool,
        decodes: Bool,
        file: BodyFile?,
        stream: StreamBuffer?,
        limits: TransferLimits
    ) -> CurlBreak? {
        self.file = file
        self.stream = stream
        limit = stream != nil ? .max : file == nil ? limits.bodyInMemory : limits.bodyInFile
        backlog = limits.streamBacklog
        guard hasBody else { return nil }
        if decodes, !head.codings.isEmpty {
            guard let decoder = CurlDecoder(codings: head.codings) else {
                return .coding("the content coding \(head.codings) is not known here")
            }
            if !decoder.isTransparent { self.decoder = decoder }
        }
        length = decoder == nil ? head.bodyLength : nil
        if let length, length > limit { return .bodyTooLarge(limit: limit) }
        if file == nil, stream == nil, let length { data.reserveCapacity(Int(min(length, Self.largestReserve))) }
        return nil
    }

    /// Whether it goes to a stream.
    var isStreamed: Bool { stream != nil }

    /// Whether the body was not what its length and type described, since it is decoded.
    var isDecoded: Bool { decoder != nil }

    /// The reader of a stream has room again.
    mutating func makeRoom() { isFull = false }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> CurlBreak? {
        guard let decoder else { return keep(bytes) }
        var fault: CurlBreak?
        do {
            try decoder.decode(bytes) { decoded in
                fault = keep(decoded)
                if fault != nil { throw CurlDecoder.Fault.wrong }
            }
            return nil
        } catch {
            return fault ?? .coding("the body is not what its content coding says")
        }
    }

    /// Whether what came was everything.
    func finish() -> CurlBreak? {
        do {
            try decoder?.finish()
            return nil
        } catch {
            return .coding("the body ends before its content coding does")
        }
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) -> CurlBreak? {
        received += Int64(bytes.count)
        if received > limit { return .bodyTooLarge(limit: limit) }
        if let stream { return pass(bytes, to: stream) }
        guard let file else {
            if let base = bytes.baseAddress {
                data.append(base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
            }
            return nil
        }
        do {
            try file.write(bytes)
            return nil
        } catch {
            problem = error
            return .cannotStore
        }
    }

    private mutating func pass(_ bytes: UnsafeRawBufferPointer, to stream: StreamBuffer) -> CurlBreak? {
        do {
            switch try stream.write(Data(bytes)) {
            case .room: break
            case .wait: isFull = true
            case .full: return .backlogFull(limit: backlog)
            }
            return nil
        } catch {
            problem = error
            return .cannotStore
        }
    }
}
