import Foundation
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineWebSocket

/// A frame that may break the rules, written without the code under test.
struct RawFrame: Sendable {
    var isFinal = true
    var reserved: UInt8 = 0
    var opcode: UInt8
    var payload: [UInt8] = []
    var mask: UInt32?
    /// The length in the header; `nil` for the payload's actual length.
    var length: UInt64?

    static func text(_ text: String, isFinal: Bool = true) -> RawFrame {
        RawFrame(isFinal: isFinal, opcode: 1, payload: Array(text.utf8))
    }

    static func binary(_ payload: [UInt8], isFinal: Bool = true) -> RawFrame {
        RawFrame(isFinal: isFinal, opcode: 2, payload: payload)
    }

    static func continuation(_ payload: [UInt8], isFinal: Bool = true) -> RawFrame {
        RawFrame(isFinal: isFinal, opcode: 0, payload: payload)
    }

    static func ping(_ payload: [UInt8] = []) -> RawFrame { RawFrame(opcode: 9, payload: payload) }

    static func pong(_ payload: [UInt8] = []) -> RawFrame { RawFrame(opcode: 10, payload: payload) }

    static func close(_ code: UInt16? = nil, _ reason: [UInt8] = []) -> RawFrame {
        RawFrame(opcode: 8, payload: (code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []) + reason)
    }

    /// The same frame as sent by a client.
    func masked(_ key: UInt32 = 0x37FA_213D) -> RawFrame {
        var frame = self
        frame.mask = key
        return frame
    }

    /// The frame as received by this end of a connection.
    func received(at role: WebSocketFrame.Role) -> RawFrame { role == .server ? masked() : self }

    var bytes: [UInt8] {
        let length = length ?? UInt64(payload.count)
        let short = length < 126 ? UInt8(length) : length < 1 << 16 ? 126 : 127
        var bytes = [(isFinal ? 0x80 : 0) | reserved | opcode, (mask == nil ? 0 : 0x80) | short]
        let size = short == 126 ? 2 : short == 127 ? 8 : 0
        bytes += (0..<size).map { UInt8(truncatingIfNeeded: length >> (8 * UInt64(size - 1 - $0))) }
        guard let mask else { return bytes + payload }
        let key = (0..<4).map { UInt8(truncatingIfNeeded: mask >> (24 - 8 * UInt32($0))) }
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }
}

/// The events that a reader returns for bytes, and the code of the fault that follows them.
struct Readout: Hashable {
    var events: [WebSocketReader.Event] = []
    var code: UInt16?

    static func of(
        _ pieces: [[UInt8]],
        at role: WebSocketFrame.Role = .client,
        limit: Int = 1 << 20,
        compression: CompressionTerms.Side? = nil
    ) -> Readout {
        var reader = WebSocketReader(at: role, limit: limit, compression: compression)
        var readout = Readout()
        for piece in pieces {
            reader.add(piece)
            readout.add(from: &reader)
            if readout.code != nil { break }
        }
        return readout
    }

    mutating func add(from reader: inout WebSocketReader) {
        do throws(WebSocketFault) {
            while let event = try reader.next() { events.append(event) }
        } catch {
            code = error.code
        }
    }
}

extension WebSocketReader {
    /// The events that the bytes complete, and the fault that follows them.
    mutating func events(in bytes: [UInt8]) -> ([Event], WebSocketFault?) {
        add(bytes)
        var events: [Event] = []
        do throws(WebSocketFault) {
            while let event = try next() { events.append(event) }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }
}

extension Sequence<RawFrame> {
    var bytes: [UInt8] { flatMap(\.bytes) }
}

extension [UInt8] {
    /// The bytes in chunks of a given size.
    func pieces(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }

    /// The bytes in chunks of random sizes.
    func pieces(upTo size: Int, using random: inout some RandomNumberGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = self[...]
        while !rest.isEmpty {
            let piece = rest.prefix(.random(in: 1...size, using: &random))
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }

    static func random(_ count: Int, using random: inout some RandomNumberGenerator) -> [UInt8] {
        Array(Data.noise(count, using: &random))
    }
}
