import Foundation
import NetworkEngine

extension MockAnswer {
    /// Carries the answer out.
    func respond(
        to request: HTTPRequest,
        call: MockCall,
        context: TransportContext,
        clock: any Clock<Duration>
    ) async throws -> HTTPResponse {
        if delay > .zero { try await clock.sleep(for: delay, tolerance: nil) }
        switch content {
        case .response(let status, let headers, let body):
            let body = try context.deliver(body, of: request)
            return HTTPResponse(statusCode: status, headers: headers, body: body, request: request)
        case .failure(let error as NetworkError): throw error.completed(request: request)
        case .failure(let error): throw error
        case .transportFailure(let failure, let reason): throw NetworkError(failure, reason: reason, request: request)
        case .hang: throw await cancellation()
        case .computed(let answer):
            return try await answer(call).respond(to: request, call: call, context: context, clock: clock)
        }
    }

    /// Waits until the task is cancelled.
    private func cancellation() async -> CancellationError {
        let (silence, source) = AsyncStream.makeStream(of: Never.self)
        for await _ in silence {}
        withExtendedLifetime(source) {}
        return CancellationError()
    }
}

extension TransportContext {
    /// Puts a body where it belongs and tells the progress, as a real transport does.
    fileprivate func deliver(_ body: Data, of request: HTTPRequest) throws -> ResponseBody {
        if let progress {
            let sent = Int64(request.body.data?.count ?? 0)
            if sent > 0 {
                progress(TransferProgress(direction: .sending, completed: sent, total: sent, attempt: attempt))
            }
            let count = Int64(body.count)
            progress(TransferProgress(direction: .receiving, completed: count, total: count, attempt: attempt))
        }
        let limit =
            switch destination {
            case .memory, .stream: limits.bodyInMemory
            case .file: limits.bodyInFile
            }
        if body.count > limit {
            throw NetworkError(.limitExceeded, reason: "the body is larger than \(limit) bytes", request: request)
        }
        guard case .file(let file) = destination else { return .data(body) }
        let isMade = FileManager.default.createFile(
            atPath: file.path,
            contents: body,
            attributes: [.posixPermissions: 0o600]
        )
        guard isMade else {
            throw NetworkError(kind: .transport, reason: "the file for the body could not be made", request: request)
        }
        return .file(file)
    }
}
