import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Each misuse throws an error with an explanation before anything is sent.
@Suite(.timeLimit(.minutes(5))) struct MisuseTests {
    private final class Opaque: Sendable {}
    private struct Failing: Encodable, Sendable {
        struct Reason: Error {}
        func encode(to encoder: any Encoder) throws { throw Reason() }
    }
    private struct Reading: Encodable, Sendable { var level = Double.nan }

    /// Returns the error of a call of any kind. Records an issue if a request was sent.
    private func failure(
        _ target: TestTarget,
        _ interceptors: [any RequestInterceptor] = [],
        by call: (NetworkProvider<TestTarget>) async throws(NetworkError) -> Void
    ) async throws -> NetworkError {
        let mock = MockTransport(.status(200).repeating())
        do throws(NetworkError) {
            try await call(NetworkProvider(mock, interceptors))
        } catch {
            #expect(mock.requests.isEmpty)
            #expect(error.errorDescription?.isEmpty == false)
            return error
        }
        throw Wrong("no error")
    }

    private func failure(_ task: NetworkTask) async throws -> NetworkError {
        let target = TestTarget(method: .post, task: task)
        return try await failure(target) { provider throws(NetworkError) in try await provider.request(target) }
    }

    enum Verb: String, Sendable, CaseIterable { case request, upload, download }

    private static let file = URL(fileURLWithPath: #filePath)
    static let wrongVerbs: [(Verb, NetworkTask, String)] = [
        (.request, .downloadDestination(.temporary), "a download task is run with `download`"),
        (
            .request, .downloadParameters(parameters: [:], encoding: .query, destination: .temporary),
            "a download task is run with `download`"
        ),
        (.upload, .downloadDestination(.temporary), "a download task is run with `download`"),
        (.upload, .requestPlain, "no body to upload"),
        (.upload, .requestParameterEncodable(["a": 1]), "no body to upload"),
        (.upload, .requestParameters(parameters: ["a": 1], encoding: .query), "no body to upload"),
        (.download, .uploadFile(file), "an upload task is run with `upload`"),
        (
            .download, .uploadMultipart([MultipartFormData(provider: .data(Data()), name: "a")]),
            "an upload task is run with `upload`"
        ),
    ]

    @Test(arguments: wrongVerbs)
    func `the wrong method for a task is named`(verb: Verb, task: NetworkTask, words: String) async throws {
        let target = TestTarget(method: .post, task: task)
        let error = try await failure(target) { provider throws(NetworkError) in
            switch verb {
            case .request: try await provider.request(target)
            case .upload: _ = try await provider.upload(target, as: EmptyBody.self)
            case .download: _ = try await provider.download(target)
            }
        }
        #expect(error.kind == .invalidRequest)
        #expect(error.reason.contains(words), "\(error.reason)")
        #expect(error.request?.url.absoluteString.hasPrefix("http://api.test/v1/things") == true)
    }

    @Test(arguments: [
        ("/nowhere/photo.png", "/nowhere/photo.png"), ("/tmp", "/tmp"), ("/dev/null", "/dev/null"),
    ])
    func `a file that cannot be uploaded is named`(path: String, name: String) async throws {
        let url = URL(fileURLWithPath: path)
        let whole = try await failure(.uploadFile(url))
        #expect(whole.kind == .invalidRequest && whole.reason.contains(name), "\(whole)")
        let part = try await failure(.uploadMultipart([MultipartFormData(provider: .file(url), name: "photo")]))
        #expect(part.kind == .invalidRequest && part.reason.contains(name), "\(part)")
        #expect(part.reason.contains("\"photo\""))
    }

    @Test(arguments: [.query, .formBody, .json, .automatic] as [any ParameterEncoding])
    func `a parameter that cannot be encoded is named`(_ encoding: any ParameterEncoding) async throws {
        let number = try await failure(.requestParameters(parameters: ["level": Double.nan], encoding: encoding))
        #expect(number.kind == .encoding)
        #expect(number.reason.contains("\"level\"") && number.reason.contains("not a finite number"), "\(number)")
        let nested: Parameters = ["user": ["friend": Opaque()] as Parameters]
        let object = try await failure(.requestParameters(parameters: nested, encoding: encoding))
        #expect(object.kind == .encoding)
        #expect(object.reason.contains("\"user.friend\"") && object.reason.contains("Opaque"), "\(object)")
    }

    @Test(arguments: [.requestJSONEncodable(Reading()), .requestParameterEncodable(Reading())] as [NetworkTask])
    func `a property that cannot be encoded is named`(_ task: NetworkTask) async throws {
        let error = try await failure(task)
        #expect(error.kind == .encoding && error.reason.contains("level"), "\(error)")
    }

    @Test(
        arguments: [
            (.requestParameterEncodable([1, 2]), "a top-level array has no names"),
            (.requestParameterEncodable(7), "a top-level Int has no names"),
            (.requestParameterEncodable("a"), "a top-level String has no names"),
        ] as [(NetworkTask, String)])
    func `a query needs named values`(task: NetworkTask, words: String) async throws {
        let error = try await failure(task)
        #expect(error.kind == .encoding && error.reason.contains(words), "\(error)")
    }

    @Test func `the error of an encode method is kept`() async throws {
        let error = try await failure(.requestJSONEncodable(Failing()))
        #expect(error.kind == .encoding)
        #expect(error.underlying is Failing.Reason)
    }

    private struct Throwing: ParameterEncoding, RequestInterceptor {
        let error: any Error
        func encode(_ parameters: Parameters, into request: HTTPRequest) throws -> HTTPRequest { throw error }
        func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest { throw error }
    }

    @Test func `the error of an encoding is kept with the name of the encoding`() async throws {
        let foreign = try await failure(.requestParameters(parameters: [:], encoding: Throwing(error: Wrong("x"))))
        #expect(foreign.kind == .encoding && foreign.underlying is Wrong)
        #expect(foreign.reason == "Throwing threw Wrong")
        let own = NetworkError(kind: .unsupported, reason: "not here")
        let thrown = try await failure(.requestParameters(parameters: [:], encoding: Throwing(error: own)))
        #expect(thrown.kind == .unsupported && thrown.reason == "not here")
        #expect(thrown.request != nil)
        let task = NetworkTask.requestParameters(parameters: [:], encoding: Throwing(error: CancellationError()))
        #expect(try await failure(task).kind == .cancelled)
    }

    @Test func `the error of an interceptor is kept with the name of the interceptor`() async throws {
        let target = TestTarget()
        let error = try await failure(target, [Throwing(error: Wrong("x"))]) { provider throws(NetworkError) in
            _ = try await provider.send(target)
        }
        #expect(error.kind == .interceptor && error.underlying is Wrong)
        #expect(error.reason == "adapt of Throwing threw Wrong")
    }

    @Test(arguments: [
        (TestTarget(baseURL: URL(fileURLWithPath: "/etc")), "scheme"),
        (TestTarget(method: "GE T"), "method"),
        (TestTarget(headers: ["X Y": "1"]), "X Y"),
        (TestTarget(headers: ["X-Line": "a\r\nb"]), "X-Line"),
        (TestTarget(headers: ["Content-Length": "1"]), "Content-Length"),
        (TestTarget(timeout: .zero), "timeout"),
    ])
    func `a forbidden part of a request is named`(target: TestTarget, field: String) async throws {
        let error = try await failure(target) { provider throws(NetworkError) in try await provider.request(target) }
        #expect(error.kind == .invalidRequest && error.reason.contains(field), "\(error)")
    }
}
