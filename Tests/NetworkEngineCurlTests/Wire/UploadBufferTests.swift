import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCurl

@Suite(.timeLimit(.minutes(5))) struct LiveSupplyTests {
    private struct Broken: Error {}

    private func take(_ count: Int, from supply: inout UploadBuffer) throws -> Data? {
        var data = Data(count: count)
        let taken = try data.withUnsafeMutableBytes { try supply.take(into: $0) }
        return taken.map { data.prefix($0) }
    }

    @Test func `chunks are split and joined for the available room, and the end follows them`() throws {
        var supply = UploadBuffer()
        #expect(supply.add(Data([1, 2, 3]), of: 0) == .taken(isAwaited: false))
        #expect(supply.add(Data([4, 5]), of: 0) == .taken(isAwaited: false))
        #expect(try take(2, from: &supply) == Data([1, 2]))
        #expect(try take(2, from: &supply) == Data([3, 4]))
        #expect(supply.finish(.success(()), of: 0) == false)
        #expect(try take(9, from: &supply) == Data([5]))
        #expect(try take(9, from: &supply) == Data())
        #expect(supply.sent == 5)
    }

    @Test func `a reader of an empty buffer is notified once of new bytes`() throws {
        var supply = UploadBuffer()
        #expect(try take(1, from: &supply) == nil)
        #expect(supply.add(Data([1]), of: 0) == .taken(isAwaited: true))
        #expect(supply.add(Data([2]), of: 0) == .taken(isAwaited: false))
        #expect(try take(2, from: &supply) == Data([1, 2]))
        #expect(try take(2, from: &supply) == nil)
        #expect(supply.finish(.success(()), of: 0) == true)
    }

    @Test func `a chunk of any size is accepted, and the next one waits for room`() throws {
        var supply = UploadBuffer()
        #expect(supply.add(Data(count: 2 * UploadBuffer.limit), of: 0) == .taken(isAwaited: false))
        #expect(supply.add(Data(count: 1), of: 0) == .full)
        #expect(!supply.hasRoom(for: 1))
        _ = try take(1, from: &supply)
        #expect(supply.hasRoom(for: UploadBuffer.limit))
        #expect(supply.add(Data(count: UploadBuffer.limit), of: 0) == .taken(isAwaited: false))
    }

    @Test func `an error follows the bytes before it and is kept`() throws {
        var supply = UploadBuffer()
        _ = supply.add(Data([1]), of: 0)
        _ = supply.finish(.failure(Broken()), of: 0)
        #expect(try take(9, from: &supply) == Data([1]))
        #expect(supply.failure == nil)
        var error: (any Error)?
        do { _ = try take(9, from: &supply) } catch let other { error = other }
        #expect(error is Broken)
        #expect(supply.failure is Broken)
    }

    @Test func `bytes of an earlier reading are dropped`() throws {
        var supply = UploadBuffer()
        _ = supply.add(Data([1, 2]), of: 0)
        _ = try take(1, from: &supply)
        #expect(supply.hasBegun)
        supply.listen(to: 1)
        #expect(!supply.hasBegun)
        #expect(supply.add(Data([3]), of: 0) == .unwanted)
        #expect(supply.finish(.success(()), of: 0) == false)
        #expect(supply.add(Data([4]), of: 1) == .taken(isAwaited: false))
        #expect(try take(9, from: &supply) == Data([4]))
        supply.listen(to: nil)
        #expect(supply.add(Data([5]), of: 1) == .unwanted)
        #expect(supply.sent == 1, "the furthest reading counts")
    }
}
