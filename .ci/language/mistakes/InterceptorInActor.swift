// Error: conformance of 'HTTPRequest' to 'NoSuchHook' is unavailable: This hook would never be called. Declare 'func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest'.
import Foundation
import NetworkEngine

actor Signer: RequestInterceptor {
    func adapt(_ request: HTTPRequest) async throws -> HTTPRequest { request }
}
