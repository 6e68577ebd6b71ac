import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct BacklogTests {
    /// A backlog with an array as its file.
    private struct Store {
        var backlog = Backlog(memoryLimit: 100, fileLimit: 1_000)
        var file: [UInt8] = []

        mutating func add(_ data: Data) -> Bool {
            switch backlog.add(data) {
            case .memory: return true
            case .none: return false
            case .file(let offset, let count):
                put(data.prefix(count), at: Int(offset))
                put(data.dropFirst(count), at: 0)
                backlog.spilled(data.count)
                return true
            }
        }

        private mutating func put(_ data: Data, at offset: Int) {
            let end = offset + data.count
            if file.count < end { file += Array(repeating: 0, count: end - file.count) }
            file.replaceSubrange(offset..<end, with: data)
        }

        mutating func take(_ limit: Int) -> Data {
            switch backlog.take(atMost: limit) {
            case .nothing: return Data()
            case .bytes(let data): return data
            case .file(let offset, let count):
                backlog.unspilled(count)
                return Data(file[Int(offset)..<Int(offset) + count])
            }
        }
    }

    @Test(arguments: 0..<50)
    func `bytes keep their order and the limits hold in any order of events`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var store = Store()
        var sent = Data()
        var read = Data()
        for step in 0..<300 {
            if Bool.random(using: &random) {
                let data = Data(
                    (0..<Int.random(in: 1...80, using: &random)).map { UInt8(truncatingIfNeeded: $0 &+ step) })
                if store.add(data) { sent += data }
            } else {
                read += store.take(Int.random(in: 1...90, using: &random))
            }
            #expect(store.backlog.bytesInMemory <= 100)
        }
        while !store.backlog.isEmpty { read += store.take(64) }
        #expect(read == sent)
        #expect(store.file.count <= 1_000)
    }

    @Test func `a chunk above the memory limit is accepted when nothing else waits`() {
        var backlog = Backlog(memoryLimit: 10, fileLimit: 0)
        #expect(backlog.add(Data(count: 50)) == .memory)
        #expect(backlog.add(Data(count: 1)) == .none)
        #expect(backlog.take(atMost: 1) == .bytes(Data(count: 50)))
        #expect(backlog.add(Data(count: 1)) == .memory)
    }

    @Test func `the file is reused from its start after it was read`() {
        var backlog = Backlog(memoryLimit: 1, fileLimit: 10)
        #expect(backlog.add(Data(count: 1)) == .memory)
        for _ in 0..<5 {
            #expect(backlog.add(Data(count: 8)) == .file(offset: 0, count: 8))
            backlog.spilled(8)
            #expect(backlog.take(atMost: 1) == .bytes(Data(count: 1)))
            #expect(backlog.take(atMost: 100) == .file(offset: 0, count: 8))
            backlog.unspilled(8)
            #expect(backlog.add(Data(count: 1)) == .memory)
        }
    }

    @Test func `a slow reader gets small chunks joined up to a size`() {
        var backlog = Backlog(memoryLimit: 1 << 20, fileLimit: 0)
        let piece = Data(repeating: 7, count: 50 << 10)
        for _ in 0..<5 { #expect(backlog.add(piece) == .memory) }
        #expect(backlog.take(atMost: .max) == .bytes(piece + piece))
        #expect(backlog.take(atMost: .max) == .bytes(piece + piece))
        #expect(backlog.add(piece) == .memory)
        #expect(backlog.take(atMost: .max) == .bytes(piece + piece))
        #expect(backlog.take(atMost: .max) == .nothing)
        #expect(backlog.isEmpty)
    }

    @Test func `no bytes give no chunk`() {
        var backlog = Backlog(memoryLimit: 1, fileLimit: 0)
        #expect(backlog.add(Data([1])) == .memory)
        #expect(backlog.add(Data()) == .memory)
        #expect(backlog.take(atMost: .max) == .bytes(Data([1])))
        #expect(backlog.take(atMost: .max) == .nothing)
    }
}
