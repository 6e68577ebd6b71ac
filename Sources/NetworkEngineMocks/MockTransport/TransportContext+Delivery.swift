package import Foundation
package import NetworkEngine

extension TransportContext {
    /// Checks a body's size and reports the progress of both bodies, like a real transport.
    ///
    /// - Parameter request: the request with its body in memory.
    package func deliver(_ body: Data, of request: HTTPRequest) throws -> ResponseBody {
        if let progress {
            let sent = Int64(request.body.data?.count ?? 0)
            if sent > 0 {
                progress(TransferProgress(direction: .sending, completed: sent, total: sent, attempt: attempt))
            }
            let count = Int64(body.count)
            progress(TransferProgress(direction: .receiving, completed: count, total: count, attempt: attempt))
        }
        let limit = limits.bodyInMemory
        guard streamsBody || body.count <= limit else {
            throw NetworkError(.limitExceeded, reason: "the body is larger than \(limit) bytes", request: request)
        }
        return .data(body)
    }
}
