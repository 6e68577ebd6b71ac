public import Foundation
import NetworkEngine
public import NetworkEngineMocks

/// A test server's resumable uploads.
///
/// ```swift
/// let uploads = LoopbackUploads(.tus, folder: folder)
/// let server = try LoopbackServer(early: uploads.response) { _ in .status(404) }
/// // … uploads to server.url + "/files" …
/// #expect(uploads.all.first?.isComplete == true)
/// ```
/// The received part of an interrupted body is kept. A HEAD request is answered once no earlier request for the upload
/// is still being received; a PATCH request ends such a request. Use `answer` with a `MockTransport`.
public final class LoopbackUploads: Sendable {
    private let ledger: ObservedState<UploadLedger>
    private let finish: @Sendable (LoopbackUpload) -> LoopbackResponse

    /// - Parameters:
    ///   - path: the path that creates uploads.
    ///   - folder: a folder for the bytes; the caller removes it.
    ///   - finish: returns the response to a complete upload; by default a 200 with the length as JSON, or a 204 for
    ///     tus.
    public init(
        _ dialect: LoopbackUpload.Dialect,
        at path: String = "/files",
        folder: URL,
        finish: (@Sendable (LoopbackUpload) -> LoopbackResponse)? = nil
    ) {
        ledger = ObservedState(UploadLedger(dialect, at: path, folder: folder))
        self.finish =
            finish ?? { upload in
                dialect == .tus ? .status(204) : .json(#"{"length": \#(upload.offset)}"#)
            }
    }

    /// The uploads that are not forgotten, in order of creation.
    public var all: [LoopbackUpload] { ledger.value.uploads.compactMap(\.self) }

    /// The number of bytes in all bodies, kept or not.
    public var receivedBytes: Int64 { ledger.value.receivedBytes }

    /// Waits until the given number of bytes have been received.
    public func received(atLeast count: Int64) async throws {
        _ = try await ledger.wait { $0.receivedBytes >= count ? true : nil }
    }

    /// Forgets all uploads, as a server does after a while.
    public func forget() { ledger.change { $0.forget() } }

    /// Drops bytes at the end of all uploads, like a server that has lost them.
    public func cut(to offset: Int64) { ledger.change { $0.cut(to: offset) } }

    // MARK: Responding

    /// The response to an upload request, for a server's `early`; `nil` for other requests.
    @Sendable
    public func response(to request: LoopbackRequest) -> LoopbackResponse? {
        let decision = ledger.change { $0.decide(request.method, request.path, request.headers) }
        switch decision {
        case nil: return nil
        case .answer(let answer): return answer.response.early()
        case .locate(let number):
            return .receiving { [self] _ in try await ledger.wait { $0.located(number) }.response }
        case .receive(let ticket, let first):
            return .receiving { [self] exchange in
                ledger.change { $0.beginReceiving(ticket) }
                defer { ledger.change { $0.endReceiving(ticket) } }
                if let first { try await exchange.send(first) }
                for try await piece in exchange.received { try add(piece, ticket) }
                return end(ticket)
            }
        }
    }

    /// Answers upload requests over a mock transport, and other requests with a 404.
    public var answer: MockAnswer {
        MockAnswer.handler { [self] request in
            let decision = ledger.change { $0.decide(request.method, request.url.path, request.headers) }
            switch decision {
            case nil: return .status(404)
            case .answer(let answer): return .status(answer.status, headers: answer.headers)
            case .locate(let number):
                let answer = try await ledger.wait { $0.located(number) }
                return .status(answer.status, headers: answer.headers)
            case .receive(let ticket, _):
                if let data = request.body.data, !data.isEmpty { try add(data, ticket) }
                let response = end(ticket)
                guard case .data(let data) = response.body else { return .status(response.status) }
                return .data(data, type: nil, status: response.status, headers: response.headers)
            }
        }.repeating()
    }

    private func add(_ piece: Data, _ ticket: UploadLedger.Ticket) throws {
        let goesOn = ledger.change { ledger in Result { try ledger.add(piece, ticket) } }
        guard try goesOn.get() else {
            throw NetworkError(.requestBody, reason: "the upload takes no more bytes of this request")
        }
    }

    private func end(_ ticket: UploadLedger.Ticket) -> LoopbackResponse {
        let (answer, finished) = ledger.change { $0.end(ticket) }
        guard let finished else { return (answer ?? UploadAnswer(500)).response }
        var response = finish(finished)
        response.headers = ledger.value.answer(response.status, about: finished).headers.merging(response.headers)
        return response
    }
}

extension UploadAnswer {
    var response: LoopbackResponse { .status(status, headers: headers) }
}
