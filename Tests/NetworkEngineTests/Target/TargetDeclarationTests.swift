import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct TargetDeclarationTests {
    private struct Moya: TestedTarget {
        var headers: [String: String]? { ["X-A": "1"] }
        var timeout: TimeInterval { 9 }
    }

    private struct Plain: TestedTarget {
        var headers: [String: String] { ["X-A": "1"] }
        var timeout: Duration { .seconds(9) }
    }

    private struct Optionals: TestedTarget {
        var headers: HTTPHeaders? { ["X-A": "1"] }
        var timeout: TimeInterval? { 9 }
    }

    private struct Stored: TestedTarget {
        let headers: HTTPHeaders = ["X-A": "1"]
        let timeout: Duration? = .seconds(9)
    }

    private struct Inherited: TargetOfAnApp {}

    private struct Overriding: TargetWithHeaders {
        var headers: [String: String] { ["X-A": "1"] }
        var timeout: TimeInterval? { 9 }
    }

    private static let declaring: [any TargetType] = [
        Moya(), Plain(), Optionals(), Stored(), Inherited(), Overriding(),
    ]

    @Test(arguments: declaring)
    func `headers and timeout are sent in every declared type`(_ target: any TargetType) throws {
        let request = try Self.request(for: target)
        #expect(request.headers["X-A"] == "1" && request.timeout == .seconds(9))
    }

    @Test(arguments: declaring.dropLast())
    func `generic code sees the declared headers and timeout`(_ target: any TargetType) {
        #expect(target.headers["X-A"] == "1" && target.timeout == .seconds(9))
    }

    private struct Templated: TestedTarget {
        var template: String { "/{id}" }
    }

    private struct TemplatedOptionally: TestedTarget {
        var template: String? { "/{id}" }
    }

    @Test(arguments: [Templated(), TemplatedOptionally()] as [any TargetType])
    func `generic code sees the declared template`(_ target: any TargetType) {
        #expect(target.template == "/{id}" && AnyTarget(target).template == "/{id}")
        #expect(Moya().template == nil)
    }

    private struct Nothing: TestedTarget {
        var headers: [String: String]? { nil }
        var timeout: TimeInterval? { nil }
    }

    private struct Seconds: TestedTarget {
        var timeout: TimeInterval
    }

    @Test func `an optional that is nil leaves headers and timeout to the configuration`() throws {
        let request = try Self.request(for: Nothing())
        #expect(request.headers == [:] && request.timeout == nil)
    }

    @Test(arguments: [TimeInterval.infinity, .greatestFiniteMagnitude])
    func `an infinite timeout is a long one`(_ seconds: TimeInterval) throws {
        let timeout = try Self.request(for: Seconds(timeout: seconds)).timeout
        #expect(timeout == .seconds(30_000_000_000))
    }

    @Test func `a timeout of negative seconds is refused`() throws {
        let error = #expect(throws: NetworkError.self) {
            try Self.request(for: Seconds(timeout: -.infinity))
        }
        #expect(error?.kind == .invalidRequest)
    }

    @Test func `a timeout that is not a number uses the configuration's`() throws {
        #expect(try Self.request(for: Seconds(timeout: .nan)).timeout == nil)
    }

    private struct Converted: TestedTarget {
        enum Verb: String, TargetMethod {
            case put = "PUT"

            static func method(declared: Verb) -> HTTPMethod { HTTPMethod(rawValue: declared.rawValue) }
        }

        enum Content: TargetTask {
            case text(String)

            static func task(declared: Content) -> NetworkTask {
                switch declared {
                case .text(let text): .requestData(Data(text.utf8))
                }
            }
        }

        var method: Verb { .put }
        var task: Content { .text("a") }
    }

    @Test func `a method and a task of an app's own types are sent`() throws {
        let request = try Self.request(for: Converted())
        #expect(request.method == .put && request.body.data == Data("a".utf8))
        let erased = try Self.request(for: AnyTarget(Converted()))
        #expect(erased.method == .put && erased.body.data == Data("a".utf8))
        let target: any TargetType = Converted()
        #expect(target.method == .put)
    }

    private static func request(for target: some TargetType) throws -> HTTPRequest {
        let configuration = NetworkConfiguration()
        let builder = RequestBuilder(jsonEncoder: configuration.encoder, queryEncoder: QueryEncoder())
        return try builder.request(for: target, use: .inspection)
    }
}

private protocol TestedTarget: TargetType {}

extension TestedTarget {
    var baseURL: URL { API.base }
    var path: String { "/things" }
}

/// An app's shared target properties, as apps declare them.
private protocol TargetOfAnApp: TestedTarget {}

extension TargetOfAnApp {
    var headers: [String: String]? { ["X-A": "1"] }
    var timeout: TimeInterval { 9 }
}

/// Headers in the framework's type, which a target declares in another type.
private protocol TargetWithHeaders: TestedTarget {}

extension TargetWithHeaders {
    var headers: HTTPHeaders { ["X-A": "0"] }
    var timeout: Duration? { .seconds(8) }
}
