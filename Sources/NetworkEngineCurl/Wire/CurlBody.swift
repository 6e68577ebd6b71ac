import Foundation
import NetworkEngine

/// Where the bytes of a response's body go, and how many there may be.
struct CurlBody {
    /// What becomes of bytes that have come.
    enum Reception {
        case taken
        /// They are to be handed over again, from the first one on.
        case paused
        case broken(CurlBreak)
    }

    private(set) var data = Data()
    /// Decoded bytes so far.
    private(set) var received: Int64 = 0
    /// The error of the file.
    private(set) var problem: (any Error)?
    private(set) var length: Int64?
    private var limit: Int64 = 0
    private var file: BodyFile?
    private var stream: StreamBuffer?
    private var decoder: CurlDecoder?
    /// Why a body cannot be decoded, should it have any bytes.
    private var codingFault: CurlBreak?
    /// Whether the reader of a stream is behind, so that nothing more is to be given to it.
    private(set) var isFull = false
    /// Whether the decoder has more to do than one call may take.
    private(set) var isResting = false
    /// How many of the bytes that will be handed over again were decoded already.
    private var decoded = 0

    /// What a server announces is not believed beyond a mebibyte.
    private static let largestReserve: Int64 = 1 << 20
    /// The work that decoding does before other exchanges have their turn: about two milliseconds.
    private static let budget = 1 << 20

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
        guard hasBody else { return nil }
        if decodes, !head.codings.isEmpty {
            if let decoder = CurlDecoder(codings: head.codings, limit: limit) {
                if !decoder.isTransparent { self.decoder = decoder }
            } else {
                codingFault = .coding("the content coding \(head.codings.prefix(4)) is not known here")
            }
        }
        length = decoder == nil ? head.bodyLength : nil
        if let codingFault, let length, length > 0 { return codingFault }
        if let length, length > limit { return .bodyTooLarge(limit: limit) }
        if file == nil, stream == nil, let length { data.reserveCapacity(Int(min(length, Self.largestReserve))) }
        return nil
    }

    /// Whether it goes to a stream.
    var isStreamed: Bool { stream != nil }

    /// Whether the body was not what its length and type described, since it is decoded.
    var isDecoded: Bool { decoder != nil }

    /// Whether libcurl may keep bytes that were not taken.
    var isHalted: Bool { isFull || isResting }

    /// The reader of a stream has room again.
    mutating func makeRoom() { isFull = false }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
        if isFull { return .paused }
        if let codingFault, !bytes.isEmpty { return .broken(codingFault) }
        guard let decoder else { return keep(bytes).map { .broken($0) } ?? .taken }
        let old = min(decoded, bytes.count)
        var fault: CurlBreak?
        do {
            let step = try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[old...]), budget: Self.budget) {
                part in
                fault = keep(part)
                return fault == nil && !isFull
            }
            if let fault { return .broken(fault) }
            isResting = step.isPaused && !isFull
            decoded = step.isPaused ? max(decoded, old + step.taken) : decoded - old
            return step.isPaused ? .paused : .taken
        } catch CurlDecoder.Fault.tooLarge {
            return .broken(.bodyTooLarge(limit: limit))
        } catch {
            return .broken(.coding("the body is not what its content coding says"))
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
            case .full: return .backlogFull(limit: Int64(StreamBuffer.memoryLimit))
            }
            return nil
        } catch {
            problem = error
            return .cannotStore
        }
    }
}
