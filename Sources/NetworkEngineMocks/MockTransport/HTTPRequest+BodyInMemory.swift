import Foundation
package import NetworkEngine

extension HTTPRequest {
    /// Returns the request with its file or stream body read into memory.
    package func withBodyInMemory() async throws -> HTTPRequest {
        switch body {
        case .absent, .data: return self
        case .file(let file): return try with { try Data(contentsOf: file) }
        // It may wait for the answer, which can read it.
        case .stream(let stream) where stream.isSentWhileReceiving: return self
        case .stream(let stream):
            try stream.trailers?.validate()
            var bytes = Data()
            do {
                for try await piece in stream { bytes += piece }
                _ = try await stream.trailers?.read()
            } catch {
                try Task.checkCancellation()
                throw failure(error)
            }
            // A canceled stream ends as if it were complete.
            try Task.checkCancellation()
            return try with { bytes }
        }
    }

    private func with(_ bytes: () throws -> Data) throws -> HTTPRequest {
        var request = self
        do {
            request.body = .data(try bytes())
        } catch {
            throw failure(error)
        }
        return request
    }

    private func failure(_ error: any Error) -> NetworkError {
        NetworkError(.requestBody, reason: "the request's body could not be read", request: self, underlying: error)
    }
}
