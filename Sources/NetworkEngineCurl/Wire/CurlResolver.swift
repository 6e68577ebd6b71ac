import Foundation
import NetworkEngine

/// Resolves host names with a configuration's closure.
struct CurlResolver: Sendable {
    let addresses: @Sendable @concurrent (_ host: String) async throws -> [String]
    /// How long a resolution may take.
    let limit: Duration

    /// The addresses of a request's host, as a NUL-terminated line for libcurl; empty for a host that is an address.
    func line(for request: HTTPRequest, _ context: TransportContext) async throws -> [UInt8] {
        let origin = request.url.origin
        if HostName.isAddress(origin.host) { return [] }
        let found = try await resolve(origin.host, request, context)
        guard !found.isEmpty, found.allSatisfy(Self.isAddress) else {
            let reason =
                found.isEmpty ? "the resolver has no address of the host" : "the resolver's addresses are not valid"
            throw NetworkError(.dns, reason: reason, request: request)
        }
        let list = found.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
        let port = request.url.port ?? (origin.isSecure ? 443 : 80)
        // Later requests may have other addresses, so these are not kept forever.
        return Array("+\(origin.host):\(port):\(list)\0".utf8)
    }

    private static func isAddress(_ text: String) -> Bool {
        var (narrow, wide) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, text, &narrow) == 1 || inet_pton(AF_INET6, text, &wide) == 1
    }

    /// Waits for the closure, until the exchange ends for another reason or times out.
    private func resolve(
        _ host: String,
        _ request: HTTPRequest,
        _ context: TransportContext
    ) async throws -> [String] {
        let answer = OneShot<Result<[String], any Error>>()
        let work = Task { [addresses] in
            do {
                answer.settle(.success(try await addresses(host)))
            } catch {
                // An error from the closure, even one from this framework, is unrelated to the request's server.
                let reason = "the resolver has failed"
                answer.settle(.failure(NetworkError(.dns, reason: reason, request: request, underlying: error)))
            }
        }
        let limit = Task { [limit] in
            try await Task.sleep(for: limit)
            let reason = "the resolver took too long"
            answer.settle(.failure(NetworkError(.timeout(.connect), reason: reason, request: request)))
        }
        defer {
            work.cancel()
            limit.cancel()
        }
        context.onInterruption { answer.settle(.failure(CancellationError())) }
        return try await answer.wait().get()
    }
}
