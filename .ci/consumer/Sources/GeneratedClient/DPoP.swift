// sample
import Foundation
import NetworkEngine

/// A token that is bound to a key of the app.
struct DPoPToken: Credential, Hashable, Codable {
    var access: String
    var expiresAt: Date? { nil }

    func apply(to request: inout HTTPRequest) { request.headers["Authorization"] = "DPoP \(access)" }
    func isSetByHand(in request: HTTPRequest) -> Bool { request.headers.contains("Authorization") }
}

/// Signs each request, with the nonce that its server has asked for (RFC 9449).
struct DPoP: ExchangeInterceptor {
    /// What a proof is about. The app signs it with its key, as a JSON Web Token.
    struct Claims: Sendable {
        var method: String
        var address: String
        var token: String?
        var nonce: String?
    }

    let sign: @Sendable (Claims) throws -> String
    private let nonces = Nonces()

    init(sign: @escaping @Sendable (Claims) throws -> String) { self.sign = sign }

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        var request = request
        let header = request.headers["Authorization"] ?? ""
        var claims = Claims(method: request.method.rawValue, address: request.url.absoluteString)
        claims.address = String(claims.address.prefix { $0 != "?" && $0 != "#" })
        claims.token = header.hasPrefix("DPoP ") ? String(header.dropFirst(5)) : nil
        claims.nonce = await nonces.nonce(of: request.url.host)
        request.headers["DPoP"] = try sign(claims)
        return request
    }

    func intercept(_ request: HTTPRequest, context: RequestContext, next: @escaping Next) async throws -> HTTPResponse {
        let response = try await next(request)
        if let nonce = response.headers["DPoP-Nonce"] { await nonces.set(nonce, of: request.url.host) }
        return response
    }

    func retry(after error: NetworkError, context: RequestContext) async -> RetryDecision {
        let challenge = error.response?.headers["WWW-Authenticate"] ?? ""
        return error.statusCode == 401 && challenge.contains("use_dpop_nonce") ? .retry : .doNotRetry
    }

    private actor Nonces {
        private var nonces: [String?: String] = [:]

        func nonce(of host: String?) -> String? { nonces[host] }
        func set(_ nonce: String, of host: String?) { nonces[host] = nonce }
    }
}
// end
