import NetworkEngine

/// An incremental parser of requests, as a pure state machine.
///
/// After `.end` the next request may follow. `.failure` is final.
struct RequestParser: Sendable {
    enum Event: Sendable {
        case head(RequestHead)
        case body([UInt8])
        case end(trailers: HTTPHeaders)
        case failure(RequestHead.Failure)
    }

    private enum Stage {
        case head
        case plain(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers(HTTPHeaders)
        case failed
    }

    private let headLimit: Int
    private let fieldLimit: Int
    private var buffer = ByteQueue()
    private var stage = Stage.head

    init(headLimit: Int = 1 << 20, fieldLimit: Int = 20_000) {
        self.headLimit = headLimit
        self.fieldLimit = fieldLimit
    }

    /// The number of unparsed bytes.
    var buffered: Int { buffer.count }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) { buffer.append(bytes) }

    /// Removes and returns the unparsed bytes when the connection leaves HTTP.
    mutating func takeRest() -> [UInt8] { buffer.takeAll() }

    /// Returns the next event with at most `bodyLimit` body bytes, or `nil` when more bytes are needed.
    mutating func next(bodyLimit: Int = .max) -> Event? {
        do throws(RequestHead.Failure) {
            return try advance(bodyLimit)
        } catch {
            stage = .failed
            buffer = ByteQueue()
            return .failure(error)
        }
    }

    private mutating func advance(_ bodyLimit: Int) throws(RequestHead.Failure) -> Event? {
        while true {
            switch stage {
            case .head:
                return try head().map(Event.head)
            case .plain(0):
                stage = .head
                return .end(trailers: [:])
            case .plain(let left):
                guard let bytes = buffer.take(atMost: min(left, bodyLimit)) else { return nil }
                stage = .plain(left: left - bytes.count)
                return .body(bytes)
            case .chunkSize:
                guard let line = try line(limit: 4096) else { return nil }
                let size = try Self.chunkSize(line)
                stage = size == 0 ? .trailers([:]) : .chunk(left: size)
            case .chunk(0):
                stage = .chunkEnd
            case .chunk(let left):
                guard let bytes = buffer.take(atMost: min(left, bodyLimit)) else { return nil }
                stage = .chunk(left: left - bytes.count)
                return .body(bytes)
            case .chunkEnd:
                guard let line = try line(limit: 2) else { return nil }
                guard line.isEmpty else { throw .malformed("chunk data is longer than its size") }
                stage = .chunkSize
            case .trailers(var trailers):
                guard let line = try line(limit: headLimit) else { return nil }
                if line.isEmpty {
                    stage = .head
                    return .end(trailers: trailers)
                }
                guard trailers.count < fieldLimit else { throw .init(status: 431, reason: "too many trailers") }
                let field = try RequestHead.field(line)
                trailers.add(field.value, for: field.name)
                stage = .trailers(trailers)
            case .failed:
                return nil
            }
        }
    }

    private mutating func head() throws(RequestHead.Failure) -> RequestHead? {
        // RFC 9112, 2.2: empty lines before a request line are skipped.
        buffer.skip { $0 == 0x0D || $0 == 0x0A }
        guard let first = buffer.first else { return nil }
        guard RequestHead.isTokenByte(first) else { throw .malformed("a request starts with a method") }
        let bytes = buffer.takeHead()
        guard bytes?.count ?? buffer.count <= headLimit else {
            throw .init(status: 431, reason: "the head is larger than \(headLimit) bytes")
        }
        guard let bytes else { return nil }
        let head = try RequestHead(parsing: bytes, fieldLimit: fieldLimit)
        switch head.framing {
        case .none: stage = .plain(left: 0)
        case .length(let length): stage = .plain(left: length)
        case .chunked: stage = .chunkSize
        }
        return head
    }

    private mutating func line(limit: Int) throws(RequestHead.Failure) -> ArraySlice<UInt8>? {
        let line = buffer.takeLine()
        guard line?.count ?? buffer.count <= limit else { throw .malformed("a line is longer than \(limit) bytes") }
        return line
    }

    private static func chunkSize(_ line: ArraySlice<UInt8>) throws(RequestHead.Failure) -> Int {
        let digits = line.prefix { $0 != 0x3B }.filter { $0 != 0x20 && $0 != 0x09 }
        let isHexadecimal = digits.allSatisfy {
            ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x66 || (0x30...0x39).contains($0)
        }
        guard isHexadecimal, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw .malformed("a chunk size is no hexadecimal number")
        }
        return size
    }
}
