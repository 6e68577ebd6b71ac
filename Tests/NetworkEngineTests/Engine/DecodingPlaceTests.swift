import Dispatch
import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Where decoding runs: away from the waiting caller, unless the value must remain with the caller.
@Suite(.timeLimit(.minutes(5))) @MainActor struct DecodingPlaceTests {
    private nonisolated static let mark = DispatchSpecificKey<Bool>()
    private nonisolated static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mark) == true }

    private struct Place: Decodable, Sendable {
        let isMain: Bool
        init(from decoder: any Decoder) throws { isMain = DecodingPlaceTests.isOnMainQueue }
    }

    private final class Model: Decodable {
        let isMain: Bool
        init(from decoder: any Decoder) throws { isMain = DecodingPlaceTests.isOnMainQueue }
    }

    private let provider = NetworkProvider<API>(MockTransport(MockAnswer.json("{}").repeating()))

    init() {
        DispatchQueue.main.setSpecific(key: Self.mark, value: true)
    }

    @Test func `a Sendable value is decoded off the main actor`() async throws {
        #expect(Self.isOnMainQueue)
        #expect(try await provider.request(.plain, as: Place.self).isMain == false)
        #expect(try await provider.response(.plain, as: Place.self).value.isMain == false)
        #expect(try await provider.start(.plain, as: Place.self).value.isMain == false)
        let isMain = try await provider.request(.plain, decoding: .custom { _, _ in Self.isOnMainQueue })
        #expect(isMain == false)
    }

    @Test func `a callback's value is decoded off the main actor`() async throws {
        let value = await withCheckedContinuation { continuation in
            provider.request(.plain, as: Place.self) { continuation.resume(returning: $0) }
        }
        #expect(try value.get().isMain == false)
    }

    @Test func `a value that is not Sendable is decoded in the caller's isolation`() async throws {
        let model: Model = try await provider.request(.plain)
        #expect(model.isMain)
    }

    @Test func `a value that is not Sendable is decoded in the isolation of any actor`() async throws {
        actor Library {
            var model: Model?
            func load(_ provider: NetworkProvider<API>) async throws(NetworkError) -> Bool {
                let model: Model = try await provider.request(.plain)
                preconditionIsolated()
                self.model = model
                return model.isMain
            }
        }
        #expect(try await Library().load(provider) == false)
    }
}
