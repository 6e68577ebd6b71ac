import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct AnyTargetTests {
    /// A target without default properties.
    private struct Unusual: TargetType {
        var baseURL: URL { API.base }
        var path: String { "/login" }
        var method: HTTPMethod { .put }
        var task: NetworkTask { .requestData(Data("x".utf8)) }
        var headers: [String: String]? { ["X-A": "1"] }
        var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy { .convertFromSnakeCase }
        var timeout: TimeInterval { 9 }
        var deadline: Duration { .seconds(8) }
        var validation: ResponseValidation { .anyResponse }
        var authorization: AuthorizationRequirement { .anonymous }
        var priority: TransportContext.Priority { .high }
        var template: String { "/{step}" }
        var cachePolicy: CachePolicy { .reload }
        var redirects: RedirectPolicy { .never }
    }

    @Test func `an erased target has every property of the target`() throws {
        let target = AnyTarget(Unusual())
        let plain = AnyTarget(baseURL: API.base, path: "/login")
        for name in try Self.requirements {
            let value = try #require(target.value(of: name), "\(name) is not forwarded")
            let standard = try #require(plain.value(of: name))
            let original = try #require(Self.unusual[name], "this test knows nothing of \(name)")
            #expect(value == original, "\(name)")
            #expect(value != standard || ["baseURL", "path"].contains(name), "\(name) has its default")
        }
    }

    @Test func `an erased public target gets no token`() async throws {
        let mock = MockTransport(.json(#"{"first_name": 7}"#, status: 500))
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        let token = TokenSource { "secret" }
        let provider = NetworkProvider<AnyTarget>(interceptor: token, configuration: configuration)
        struct Name: Decodable, Sendable { var firstName: Int }
        let name: Name = try await provider.request(AnyTarget(Unusual()))
        #expect(name.firstName == 7)
        let request = try #require(mock.requests.first)
        #expect(request.headers["Authorization"] == nil && request.headers["X-A"] == "1")
        #expect(request.timeout == .seconds(9) && request.method == .put && request.url.path == "/v1/login")
    }

    @Test func `a target made of its parts has defaults for the others`() {
        var target = AnyTarget(baseURL: API.base, path: "/things")
        #expect(target.method == .get && target.authorization == .required && target.headers == [:])
        #expect(target.target == nil)
        target.headers["X-A"] = "1"
        target.timeout = .seconds(2)
        target.authorization = .optional
        let copy = AnyTarget(target)
        #expect(copy.headers["X-A"] == "1" && copy.timeout == .seconds(2) && copy.authorization == .optional)
    }

    @Test func `a target written in place has headers of any type`() {
        let dictionary: [String: String]? = ["X-A": "1"]
        #expect(AnyTarget(baseURL: API.base).path.isEmpty)
        #expect(AnyTarget(baseURL: API.base, path: "/a", headers: dictionary).headers == ["X-A": "1"])
        #expect(AnyTarget(baseURL: API.base, method: .put, headers: ["X-A": "1"]).headers == ["X-A": "1"])
        var target = AnyTarget(baseURL: API.base)
        (target.baseURL, target.path, target.method, target.task) = (API.base, "/b", .post, .requestData(Data()))
        (target.keyDecodingStrategy, target.validation, target.priority) = (.convertFromSnakeCase, .anyResponse, .high)
        #expect(target.path == "/b" && target.method == .post && target.priority == .high)
    }

    @Test func `the original target is available, also after erasing twice`() {
        #expect(AnyTarget(AnyTarget(Unusual())).target is Unusual)
    }

    /// The properties that the protocol requires, parsed from its source, so that new ones are included.
    private static var requirements: [String] {
        get throws {
            let here = URL(fileURLWithPath: #filePath)
            let file = here.appendingPathComponent("../../../../Sources/NetworkEngine/Target/TargetType.swift")
            let source = try String(contentsOf: file.standardized, encoding: .utf8)
            let code = source.components(separatedBy: "public protocol TargetType").dropFirst().first ?? ""
            let body = code.components(separatedBy: "\n}").first ?? ""
            let names = body.matches(of: /\n    var (\w+): .* { get }/).map { String($0.1) }
            try #require(names.count >= 10)
            return names
        }
    }

    private static var unusual: [String: String] {
        let target = Unusual()
        let headers = HTTPHeaders(target.headers ?? [:])
        let values: [String: Any] = [
            "baseURL": target.baseURL, "path": target.path, "method": target.method, "task": target.task,
            "headers": headers, "keyDecodingStrategy": target.keyDecodingStrategy,
            "timeout": Duration?.some(.seconds(9)) as Any, "deadline": Duration?.some(target.deadline) as Any,
            "validation": target.validation,
            "authorization": target.authorization, "priority": target.priority,
            "template": String?.some(target.template) as Any, "cachePolicy": target.cachePolicy,
            "redirects": RedirectPolicy?.some(target.redirects) as Any,
        ]
        return values.mapValues { String(describing: $0) }
    }
}

extension AnyTarget {
    /// A stored property's description.
    fileprivate func value(of name: String) -> String? {
        if name == "path" { return path }
        if name == "priority" { return String(describing: priority) }
        if name == "template" { return String(describing: template) }
        return Mirror(reflecting: self).children.first { $0.label == name }.map { String(describing: $0.value) }
    }
}
