// sample
import Apollo
import Foundation
import NetworkEngine
import NetworkEngineInterop

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends the operations of Apollo by a client.
nonisolated struct ClientSession: ApolloURLSession {
    let client: HTTPClient

    func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
        let (data, response) = try await client.data(for: request)
        return (WholeBody(data: data), response)
    }

    func invalidateAndCancel() {}
}

/// A response of one chunk.
nonisolated struct WholeBody: AsyncChunkSequence {
    let data: Data

    struct AsyncIterator: AsyncIteratorProtocol {
        var data: Data?

        mutating func next() async throws -> Data? {
            defer { data = nil }
            return data
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(data: data) }
}
// end
