public import Foundation
import NetworkEngine

/// The content of an entry's file: the response head, and the body or the name of the body's file.
struct CacheRecord: Sendable {
    enum Body: Sendable {
        case inline(Data)
        case file(name: String, checksum: UInt64)
    }

    var response: StoredResponse
    let body: Body

    private static let magic = Array("NECache2".utf8)

    init(response: StoredResponse, body: Body) {
        self.response = response
        self.body = body
    }

    /// The bytes of the file.
    ///
    /// - Parameter name: the file name, which is part of the checksum, so that a file with another name is invalid.
    func encoded(as name: String) -> Data {
        var content = RecordWriter()
        content.write(response)
        switch body {
        case .inline(let data):
            content.write(0)
            content.write(data)
        case .file(let name, let checksum):
            content.write(1)
            content.write(name)
            content.write(Int64(bitPattern: checksum))
        }
        var file = RecordWriter()
        file.data += Self.magic
        file.write(Int64(bitPattern: Self.checksum(of: content.data, as: name)))
        file.data += content.data
        return file.data
    }

    /// Returns `nil` for damaged bytes.
    init?(_ file: Data, as name: String) {
        guard file.starts(with: Self.magic) else { return nil }
        var reader = RecordReader(file.dropFirst(Self.magic.count))
        guard let checksum = reader.integer(), UInt64(bitPattern: checksum) == Self.checksum(of: reader.rest, as: name),
            let response = reader.response(), let kind = reader.integer()
        else { return nil }
        switch kind {
        case 0:
            guard let data = reader.bytes(), Int64(data.count) == response.bodyLength else { return nil }
            body = .inline(Data(data))
        case 1:
            guard let name = reader.text(), let checksum = reader.integer() else { return nil }
            body = .file(name: name, checksum: UInt64(bitPattern: checksum))
        default: return nil
        }
        self.response = response
    }

    private static func checksum(of content: Data, as name: String) -> UInt64 {
        var checksum = Checksum()
        Array(name.utf8).withUnsafeBytes { checksum.update($0) }
        content.withUnsafeBytes { checksum.update($0) }
        return checksum.value
    }
}

extension StoredResponse {
    /// The head as bytes, for a store that keeps its content outside the process.
    public var encoded: Data {
        var writer = RecordWriter()
        writer.write(self)
        return writer.data
    }

    /// Reads the bytes of `encoded`; `nil` for any other bytes.
    public init?(encoded: Data) {
        var reader = RecordReader(encoded)
        guard let response = reader.response(), reader.rest.isEmpty else { return nil }
        self = response
    }
}

/// Writes integers as eight bytes, and texts and bytes preceded by their length.
private struct RecordWriter {
    var data = Data()

    mutating func write(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }

    mutating func write(_ bytes: some Collection<UInt8>) {
        write(Int64(bytes.count))
        data += bytes
    }

    mutating func write(_ text: String) { write(text.utf8) }

    mutating func write(_ date: Date) { write(Int64(bitPattern: date.timeIntervalSince1970.bitPattern)) }

    mutating func write(_ response: StoredResponse) {
        write(Int64(response.statusCode))
        write(Int64(response.headers.count))
        for field in response.headers {
            write(field.name)
            write(field.value)
        }
        write(Int64(response.variant.names.count))
        response.variant.names.forEach { write($0) }
        write(response.variant.values)
        write(response.variant.identity)
        write(response.requestTime)
        write(response.responseTime)
        write(response.bodyLength)
        write(response.part == nil ? 0 : 1)
        guard let part = response.part else { return }
        write(part.bounds.lowerBound)
        write(part.bounds.upperBound)
        write(part.total ?? -1)
    }
}

/// Reads the output of `RecordWriter`. Every read returns `nil` for bytes that it cannot have written.
private struct RecordReader {
    private(set) var rest: Data

    init(_ data: Data) { rest = data }

    mutating func integer() -> Int64? {
        guard rest.count >= 8 else { return nil }
        let value = rest.withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(as: Int64.self)) }
        rest = rest.dropFirst(8)
        return value
    }

    mutating func bytes() -> Data? {
        guard let count = integer(), count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    mutating func text() -> String? { bytes().flatMap { String(data: $0, encoding: .utf8) } }

    mutating func date() -> Date? {
        guard let bits = integer() else { return nil }
        let seconds = Double(bitPattern: UInt64(bitPattern: bits))
        return seconds.isFinite ? Date(timeIntervalSince1970: seconds) : nil
    }

    mutating func texts(perElement: Int = 1) -> [String]? {
        guard let count = integer(), count >= 0, count <= rest.count else { return nil }
        var texts: [String] = []
        for _ in 0..<(Int(count) * perElement) {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return texts
    }

    mutating func response() -> StoredResponse? {
        guard let status = integer(), (100...999).contains(status), let fields = texts(perElement: 2),
            let names = texts(), let values = text(), let identity = text(), let requestTime = date(),
            let responseTime = date(), let length = integer(), length >= 0, let isPart = integer()
        else { return nil }
        var response = StoredResponse(
            statusCode: Int(status),
            headers: HTTPHeaders(
                stride(from: 0, to: fields.count - 1, by: 2).map {
                    HTTPHeaders.Field(name: fields[$0], value: fields[$0 + 1])
                }),
            variant: Variant(names: names, values: values, identity: identity),
            requestTime: requestTime,
            responseTime: responseTime,
            bodyLength: length
        )
        guard isPart == 1 else { return isPart == 0 ? response : nil }
        guard let start = integer(), let end = integer(), let total = integer(), start >= 0, start < end,
            end - start == length, total == -1 || total >= end
        else { return nil }
        response.part = StoredResponse.Part(bounds: start..<end, total: total == -1 ? nil : total)
        return response
    }
}
