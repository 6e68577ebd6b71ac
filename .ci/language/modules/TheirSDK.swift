// An SDK that lets its users make the calls, with a closure or with its own protocol.
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

public protocol TheirSession: Sendable {
    func data(for request: URLRequest) async throws -> (Data, URLResponse)
    func upload(for request: URLRequest, from data: Data) async throws -> (Data, URLResponse)
}

public struct TheirClient: Sendable {
    public init(key: String, fetch: @escaping @Sendable (URLRequest) async throws -> (Data, URLResponse)) {}
    public init(key: String, session: any TheirSession) {}
    public init(key: String, configuration: URLSessionConfiguration) {}
}
