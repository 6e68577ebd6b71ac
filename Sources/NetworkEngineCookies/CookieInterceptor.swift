import NetworkEngine

/// Adds a jar's cookies to each exchange.
///
/// It runs after all other interceptors that change a request, so that their `Cookie` headers count as set manually.
struct CookieInterceptor: ExchangeInterceptor, SecretMarkingInterceptor, NonInterceptingInterceptor {
    private static let header = "Cookie"

    private let jar: CookieJar

    init(jar: CookieJar) { self.jar = jar }

    /// The interceptors that send a jar's cookies, and store the cookies in server responses.
    static func links(_ jar: CookieJar) -> [any RequestInterceptor] {
        [CookieInterceptor(jar: jar), CookieReceiver(jar: jar)]
    }

    var mayWait: Bool { false }

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        // The request may wait before it is sent. Its cookies are read now.
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

/// The jar's era when the request read its cookies.
private struct CookieEra: Sendable {
    let number: Int
}

extension HTTPRequest {
    /// Whether an origin from another site redirected the request.
    fileprivate var isCrossSite: Bool {
        guard let passed = secrets?.passedOrigins, !passed.isEmpty else { return false }
        let origin = url.origin
        return passed.contains { !origin.isSameSite(as: $0) }
    }
}

/// Stores the cookies in each server response. The cookies of a cached response were set before.
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
            // The response head counts even if its body is lost.
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
            // This response's cookies also belong to the site.
            return jar.removeAll(ofSiteOf: request.url)
        }
        jar.set(fromHeaders: response.headers.values(for: "Set-Cookie"), for: request.url, in: era)
    }
}
