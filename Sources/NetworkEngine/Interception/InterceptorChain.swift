/// The interceptors of an engine in their order, and the wire behind the last of them.
package struct InterceptorChain: Sendable {
    package typealias Wire = @Sendable (HTTPRequest, RequestContext) async throws -> HTTPResponse

    /// Those that are asked for advice.
    private let advisers: [any RequestInterceptor]
    /// Those that a request goes through.
    private let links: [Link]
    private let wire: Wire

    private struct Link {
        let interceptor: any RequestInterceptor
        /// Whether it stands around what follows, so that what follows has to be put into its hands.
        let intercepts: Bool
        /// Whether it may change the request on its way in.
        let adapts: Bool
        /// Whether it marks itself what it places in the request.
        let marks: Bool

        init(_ interceptor: any RequestInterceptor) {
            self.interceptor = interceptor
            intercepts = !(interceptor is any OneWayInterceptor)
            adapts = !(interceptor is any UnadaptingInterceptor)
            marks = interceptor is any MarkingInterceptor
        }
    }

    package init(_ interceptors: [any RequestInterceptor], wire: @escaping Wire) {
        self.init(interceptors, interceptors.map { Link($0) }, wire)
    }

    /// The chain of an attempt: those that act on each exchange give advice here, and nothing else.
    package static func ofAttempt(_ interceptors: [any RequestInterceptor], wire: @escaping Wire) -> InterceptorChain {
        InterceptorChain(interceptors, interceptors.filter { !($0 is any ExchangeInterceptor) }.map { Link($0) }, wire)
    }

    /// The chain of an exchange; `nil` when nothing acts on exchanges.
    ///
    /// Those that share exchanges stand behind all that may change a request, wherever they stand in the list: what they
    /// compare is what goes on the wire.
    package static func ofExchange(
        _ interceptors: [any RequestInterceptor],
        wire: @escaping Wire
    ) -> InterceptorChain? {
        var links = interceptors.filter { $0 is any ExchangeInterceptor && !($0 is any SharingInterceptor) }
        let end = links.lastIndex { !($0 is any UnadaptingInterceptor) }.map { $0 + 1 } ?? 0
        links.insert(contentsOf: interceptors.filter { $0 is any SharingInterceptor }, at: end)
        return links.isEmpty ? nil : InterceptorChain(links, wire: wire)
    }

    private init(_ advisers: [any RequestInterceptor], _ links: [Link], _ wire: @escaping Wire) {
        self.advisers = advisers
        self.links = links
        self.wire = wire
    }

    /// The same links before another wire.
    package func ending(in wire: @escaping Wire) -> InterceptorChain { InterceptorChain(advisers, links, wire) }

    /// Whether any link may wait for something but the next.
    package var mayWait: Bool { advisers.contains { $0.mayWait } }

    /// Sends a request through every link.
    package func send(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPResponse {
        try await send(request, from: 0, context: context)
    }

    /// Asks the links in order; the first decisive answer wins.
    package func advice(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        for interceptor in advisers {
            let decision = await interceptor.retry(after: error, context: context)
            if case .doNotRetry = decision { continue }
            return decision
        }
        return .doNotRetry
    }

    private func send(_ request: HTTPRequest, from index: Int, context: RequestContext) async throws -> HTTPResponse {
        var request = request
        var index = index
        while index < links.count {
            let link = links[index]
            if link.adapts { request = try await adapted(request, by: link, context) }
            index += 1
            if link.intercepts { return try await intercepted(request, by: link.interceptor, before: index, context) }
        }
        return try await wire(request, context)
    }

    @inline(__always)
    private func adapted(
        _ request: HTTPRequest,
        by link: Link,
        _ context: RequestContext
    ) async throws -> HTTPRequest {
        do {
            let adapted = try await link.interceptor.adapt(request, context: context)
            return link.marks ? adapted : adapted.marking(placedSince: request)
        } catch {
            throw NetworkError.interception(error, by: link.interceptor, in: "adapt", of: request)
        }
    }

    @inline(__always)
    private func intercepted(
        _ request: HTTPRequest,
        by interceptor: any RequestInterceptor,
        before index: Int,
        _ context: RequestContext
    ) async throws -> HTTPResponse {
        do {
            return try await interceptor.intercept(request, context: context) { changed in
                try await send(changed.marking(placedSince: request), from: index, context: context)
            }
        } catch {
            throw NetworkError.interception(error, by: interceptor, in: "intercept", of: request)
        }
    }
}

extension NetworkError {
    /// The error that a link threw: its own kind when it has one, else one that says which link it was.
    package static func interception(
        _ error: any Error,
        by interceptor: any RequestInterceptor,
        in hook: String,
        of request: HTTPRequest
    ) -> NetworkError {
        if let error = error as? NetworkError {
            return error.request == nil ? error.completed(request: request) : error
        }
        if error is CancellationError { return .cancelled(request) }
        let culprit = String(describing: type(of: interceptor))
        return NetworkError(
            kind: .interceptor,
            reason: "\(hook) of \(culprit) threw \(type(of: error))",
            request: request,
            underlying: error
        )
    }
}
