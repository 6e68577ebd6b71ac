import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport

/// A target with properties for every requirement.
struct TestTarget: TargetType {
    var baseURL = API.base
    var path = "/things"
    var method: HTTPMethod = .get
    var task: NetworkTask = .requestPlain
    var headers: HTTPHeaders = [:]
    var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    var timeout: Duration?
    var validation: ResponseValidation = .success
    var authorization: AuthorizationRequirement = .required
    var priority: TransportContext.Priority = .normal
}

extension NetworkProvider {
    /// A provider over a mock, with a custom configuration.
    init(
        _ transport: any Transport,
        _ interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void = { _ in }
    ) {
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        change(&configuration)
        self.init(interceptors: interceptors, configuration: configuration)
    }
}
