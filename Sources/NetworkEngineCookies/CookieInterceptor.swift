import NetworkEngine

/// Adds the cookies of a jar to each exchange.
///
/// It comes after all other interceptors that change a request, so that their `Cookie` headers count as set by hand.
struct CookieInterceptor: ExchangeInterceptor, SecretMarkingInterceptor, NonInterceptingInterceptor {
    private static let header = "Cookie"

    private let jar: CookieJar

    init(jar: CookieJar) { self.jar = jar }

    /// The interceptors that send the cookies of a jar, and store those of the server's responses.
    static func links(_ jar: CookieJar) -> [any RequestInterceptor] {
        [CookieInterceptor(jar: jar), CookieReceiver(jar: jar)]
    }

    var mayWait: Bool { false }

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        // The request may wait before it is sent. Its cookies are of this moment.
        context.call.options.storage?.set(CookieEra(number: jar.era), for: ObjectIdentifier(jar))
        let cookies = jar.use(for: request.url, isCrossSite: request.isCrossSite, isSafe: request.method.isSafe)
        if cookies.isEmpty { return request }
        let own = request.headers.values(for: Self.header)
        let names = Set(own.flatMap(Self.names))
        let added = cookies.filter { !names.contains($0.name) }
        if added.isEmpty { return request }
        var request = request
        let pairs = own.filter { !$0.allSatisfy(\.isWhitespace) } + added.map(\.pair)
        request.headers[Self.header] = pairs.joined(separator: "; ")
        let secrets = request.secrets ?? RequestSecrets()
        request.secrets = secrets.adding(headers: [Self.header], values: added.map(\.value))
        return request
    }

    /// The names of the cookies in a header. A cookie without an equals sign has an empty name.
    private static func names(in header: String) -> [String] {
        Array(header.utf8).split(separator: UInt8(ascii: ";")).compactMap { pair in
            let (name, value) = Cookie.parts(of: pair)
            if value == nil { return name.isEmpty ? nil : "" }
            return Cookie.text(name)
        }
    }
}

/// The era of the jar from which a request has its cookies.
private struct CookieEra: Sendable {
    let number: Int
}

extension HTTPRequest {
    /// Whether an origin of another site has led the request to its address.
    fileprivate var isCrossSite: Bool {
        guard let passed = secrets?.passedOrigins, !passed.isEmpty else { return false }
        let origin = url.origin
        return passed.contains { !origin.isSameSite(as: $0) }
    }
}

/// Stores the cookies of each response of a server. A response of a cache has set its cookies before.
struct CookieReceiver: ExchangeInterceptor, NonAdaptingInterceptor {
    private let jar: CookieJar

    init(jar: CookieJar) { self.jar = jar }

    var stage: InterceptorStage { .sending }

    var mayWait: Bool { false }

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> HTTPResponse {
        let era = era(of: context)
        do {
            let response = try await next(request)
            store(response, for: request, in: era)
            return response
        } catch let error as NetworkError {
            // The head of a response counts even if its body is lost.
            if let response = error.response { store(response, for: request, in: era) }
            throw error
        }
    }

    /// The era of the request's cookies; the current one if the call has no storage.
    private func era(of context: RequestContext) -> Int {
        let era: CookieEra? = context.call.options.storage?.value(for: ObjectIdentifier(jar))
        return era?.number ?? jar.era
    }

    private func store(_ response: HTTPResponse, for request: HTTPRequest, in era: Int) {
        if ClearSiteData(response.headers, from: request.url).contains(.cookies) {
            // The cookies of this response belong to the site, too.
            return jar.removeAll(ofSiteOf: request.url)
        }
        jar.set(fromHeaders: response.headers.values(for: "Set-Cookie"), for: request.url, in: era)
    }
}
