import Foundation
import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client, and what a configuration's sessions add to its requests.
struct Route: Sendable {
    let client: HTTPClient
    let defaults: RequestDefaults

    fileprivate func isSame(as other: Route) -> Bool {
        client.engine === other.client.engine && client.baseURL == other.client.baseURL && defaults == other.defaults
    }
}

/// The values that a configuration adds to requests without them. Foundation does not always pass them to a
/// `URLProtocol`.
struct RequestDefaults: Hashable, Sendable {
    /// The timeout of a request without its own.
    private static let standardTimeout = 60.0
    private let headers: [String: String]
    private let timeout: TimeInterval
    private let cachePolicy: URLRequest.CachePolicy

    init(_ configuration: URLSessionConfiguration) {
        var headers: [String: String] = [:]
        for case (let name as String, let value) in configuration.httpAdditionalHeaders ?? [:] {
            headers[name] = "\(value)"
        }
        self.headers = headers
        timeout = configuration.timeoutIntervalForRequest
        cachePolicy = configuration.requestCachePolicy
    }

    func add(to request: inout URLRequest) {
        // On Linux, setting all fields together preserves the case of their names.
        let added = headers.filter { request.value(forHTTPHeaderField: $0.key) == nil }
        if !added.isEmpty {
            request.allHTTPHeaderFields = (request.allHTTPHeaderFields ?? [:]).merging(added) { own, _ in own }
        }
        if request.timeoutInterval == Self.standardTimeout { request.timeoutInterval = timeout }
        if request.cachePolicy == .useProtocolCachePolicy { request.cachePolicy = cachePolicy }
    }
}

/// The open routes. Each has a separate class.
///
/// When a session loads a request, the class is all that identifies the session's configuration, so the class must lead
/// to the client. No class is used twice. A route is open as long as its owner, which configurations and sessions
/// retain.
enum Routes {
    private struct Entry {
        let route: Route
        let loader: URLProtocol.Type
        weak var owner: URLCredentialStorage?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var count = 0

        /// Removes the routes without an owner. The caller releases their clients, outside the lock.
        mutating func removeClosed() -> [Entry] {
            let closed = entries.filter { $0.value.owner == nil }
            for key in closed.keys { entries[key] = nil }
            return Array(closed.values)
        }

        mutating func open(
            _ route: Route, _ makeLoader: (Int) -> URLProtocol.Type
        ) -> (loader: URLProtocol.Type, owner: URLCredentialStorage) {
            for entry in entries.values where entry.route.isSame(as: route) {
                if let owner = entry.owner { return (entry.loader, owner) }
            }
            count += 1
            let (loader, owner) = (makeLoader(count), URLCredentialStorage())
            entries[ObjectIdentifier(loader)] = Entry(route: route, loader: loader, owner: owner)
            return (loader, owner)
        }
    }

    private static let state = Locked(State())

    /// Opens a route, or returns the same client's open route.
    ///
    /// - Parameter loader: creates the class of the route with a number.
    static func open(
        _ route: Route, loader: (Int) -> URLProtocol.Type
    ) -> (loader: URLProtocol.Type, owner: URLCredentialStorage) {
        let result = state.withLock { state in
            (closed: state.removeClosed(), opening: state.open(route, loader))
        }
        return result.opening
    }

    /// The route for a class; `nil` if it is closed.
    static func route(of loader: URLProtocol.Type) -> Route? {
        let result = state.withLock { state in
            (closed: state.removeClosed(), route: state.entries[ObjectIdentifier(loader)]?.route)
        }
        return result.route
    }
}
