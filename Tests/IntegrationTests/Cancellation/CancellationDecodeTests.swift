import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Cancellation during decoding, the only phase that doesn't suspend.
@Suite(.timeLimit(.minutes(5))) struct CancellationDecodeTests {
    private let wire = DeafTransport()

    /// Cancels the task that decodes it.
    struct Saboteur: Decodable, Sendable {
        init(from decoder: any Decoder) throws { withUnsafeCurrentTask { $0?.cancel() } }
    }

    final class UnsendableSaboteur: Decodable {
        init(from decoder: any Decoder) throws { withUnsafeCurrentTask { $0?.cancel() } }
    }

    @Test func `an awaited call that is canceled during decoding returns no value`() async {
        wire.gate.open()
        let call: OngoingCall<Saboteur> = .awaiting { try await wire.provider().request(wire.target) }
        #expect(await call.error?.kind == .cancelled)
    }

    @Test func `a call with a value that is not Sendable returns none when canceled during decoding`() async {
        wire.gate.open()
        let call: OngoingCall<Void> = .awaiting {
            _ = try await wire.provider().request(wire.target, as: UnsendableSaboteur.self)
        }
        #expect(await call.error?.kind == .cancelled)
    }

    @Test func `a decoding error after a cancellation is reported as a cancellation`() async {
        wire.gate.open()
        struct Oops: Error {}
        let call: OngoingCall<Int> = .awaiting {
            try await wire.provider().request(
                wire.target,
                decoding: .custom { _, _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                    throw Oops()
                }
            )
        }
        #expect(await call.error?.kind == .cancelled)
    }

    @Test func `a handle that is canceled during decoding returns no value`() async {
        let wire = DeafTransport()
        let call = Locked<CallHandle<Int, NetworkError>?>(nil)
        let decoding = ResponseDecoding<Int>.custom { _, _ in
            call.withLock { $0 }?.cancel()
            return 1
        }
        let target = wire.target
        let started = wire.provider().start(target, decoding, settings: CallSettings())
        call.withLock { $0 = started }
        wire.gate.open()
        #expect(await started.result.error?.kind == .cancelled)
        #expect(started.isCancelled)
    }

    @Test func `a download that is canceled while its destination is chosen leaves no file`() async throws {
        wire.gate.open()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let chosen = folder.appendingPathComponent("file")
        let destination = DownloadDestination.custom { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return chosen
        }
        var target = wire.target
        target.task = .downloadDestination(destination)
        let call: OngoingCall<URL> = .awaiting { [target] in try await wire.provider().download(target) }
        #expect(await call.error?.kind == .cancelled)
        #expect(!FileManager.default.fileExists(atPath: chosen.path))
    }
}

extension Result {
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
