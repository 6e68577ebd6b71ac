package import Foundation
package import NetworkEngine

/// A target with a property for every requirement.
package struct TestTarget: TargetType {
    package var baseURL = API.base
    package var path = "/things"
    package var method: HTTPMethod = .get
    package var task: NetworkTask = .requestPlain
    package var headers: HTTPHeaders = [:]
    package var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    package var timeout: Duration?
    package var validation: ResponseValidation = .success
    package var authorization: AuthorizationRequirement = .required
    package var priority: TransportContext.Priority = .normal

    package init(
        baseURL: URL = API.base,
        path: String = "/things",
        method: HTTPMethod = .get,
        task: NetworkTask = .requestPlain,
        headers: HTTPHeaders = [:],
        keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys,
        timeout: Duration? = nil,
        validation: ResponseValidation = .success,
        authorization: AuthorizationRequirement = .required,
        priority: TransportContext.Priority = .normal
    ) {
        self.baseURL = baseURL
        self.path = path
        self.method = method
        self.task = task
        self.headers = headers
        self.keyDecodingStrategy = keyDecodingStrategy
        self.timeout = timeout
        self.validation = validation
        self.authorization = authorization
        self.priority = priority
    }
}

extension NetworkProvider {
    /// A provider over a mock, with a custom configuration.
    package init(
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        change(&configuration)
        self.init(interceptors: interceptors, configuration: configuration)
    }

    /// Returns the error of a call; `nil` for a success.
    package func failure(_ target: Target) async -> NetworkError? {
        do throws(NetworkError) {
            _ = try await send(target)
            return nil
        } catch {
            return error
        }
    }
}
