// The Apollo protocols that a session conforms to, for samples.
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

public protocol AsyncChunkSequence: AsyncSequence, Sendable where Element == Data {}

public protocol ApolloURLSession: Sendable {
    func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse)
    func invalidateAndCancel()
}
