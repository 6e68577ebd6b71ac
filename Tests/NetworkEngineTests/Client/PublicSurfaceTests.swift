import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Calls each public signature that programs depend on once, with its labels and types.
@Suite(.timeLimit(.minutes(5))) struct PublicSurfaceTests {
    private final class Model: Decodable {}

    private let provider = NetworkProvider<TestTarget>(MockTransport(MockAnswer.json("{}").repeating()))

    @Test func `HTTP values`() throws {
        let method = HTTPMethod(rawValue: "PURGE")
        let literal: HTTPMethod = "PURGE"
        let known: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .query]
        #expect(method == literal && known.count(where: \.isIdempotent) == 6)
        var headers: HTTPHeaders = ["A": "1"]
        headers["a"] = "2"
        headers.add("3", for: "A")
        #expect(
            headers.values(for: "a") == ["2", "3"] && headers.map(\.name).count == 2 && !headers.description.isEmpty)
        var request = HTTPRequest(url: API.base)
        request = HTTPRequest(method: .put, url: API.base, headers: headers, body: .absent, timeout: .seconds(1))
        let urlRequest: URLRequest = request.urlRequest
        request = try HTTPRequest(urlRequest)
        let response = HTTPResponse(statusCode: 200, headers: [:], body: .data(Data()), request: request)
        let metrics: ExchangeMetrics? = response.metrics
        #expect(metrics == nil && HTTPResponse(statusCode: 204, request: request).statusCode == 204)
    }

    @Test func `tasks`() {
        let part = MultipartFormData(provider: .data(Data()), name: "a", fileName: "b", mimeType: "text/plain")
        let file = MultipartFormData(provider: .file(API.base), name: "a")
        let tasks: [NetworkTask] = [
            .requestPlain, .requestData(Data()), .requestJSONEncodable([1]),
            .requestCustomJSONEncodable([1], encoder: JSONEncoder()), .requestParameterEncodable(["a": 1]),
            .requestParameters(parameters: ["a": 1, "b": ["c": "d"] as Parameters], encoding: .query),
            .requestCompositeData(bodyData: Data(), urlParameters: [:]),
            .requestCompositeParameters(bodyParameters: [:], urlParameters: [:]), .uploadFile(API.base),
            .uploadMultipart([part, file]), .uploadCompositeMultipart([part], urlParameters: [:]),
            .downloadDestination(.temporary),
            .downloadParameters(parameters: [:], encoding: .automatic, destination: .suggested(in: API.base)),
        ]
        let encodings: [any ParameterEncoding] = [.query, .formBody, .json, .automatic]
        #expect(tasks.count == 13 && encodings.count == 4)
    }

    @Test func `the provider, awaited`() async throws {
        let target = TestTarget()
        _ = NetworkProvider<API>()
        _ = NetworkProvider<API>(interceptor: Silent())
        _ = NetworkProvider<API>(interceptors: [Silent()], configuration: NetworkConfiguration())
        let value: EmptyBody = try await provider.request(target)
        #expect(try await provider.request(target, as: EmptyBody.self) == value)
        let model: Model = try await provider.request(target)
        _ = model
        try await provider.request(target)
        let response: NetworkResponse<EmptyBody> = try await provider.response(target, as: EmptyBody.self)
        #expect(response.value == value && response.response.statusCode == 200)
        let data: Data = try await provider.data(target)
        let string: String = try await provider.string(target)
        let sent: HTTPResponse = try await provider.send(target)
        #expect(data == Data("{}".utf8) && string == "{}" && sent.data == data)
        let body = TestTarget(method: .post, task: .requestData(data))
        let uploaded: EmptyBody = try await provider.upload(body, as: EmptyBody.self, progress: { _ in })
        #expect(uploaded == value)
        let file: URL = try await provider.download(TestTarget(), progress: { _ in })
        try FileManager.default.removeItem(at: file)
        let urlRequest: URLRequest = try provider.urlRequest(for: target)
        #expect(urlRequest.url != nil)
    }

    @Test func `the provider, with a handle`() async throws {
        let handle: RequestHandle<EmptyBody> = provider.start(TestTarget(), as: EmptyBody.self)
        #expect(try await handle.value == EmptyBody())
        let download = provider.startDownload(TestTarget())
        try FileManager.default.removeItem(at: try await download.value)
    }

    @Test @MainActor func `the provider, with callbacks`() async throws {
        let target = TestTarget(method: .post, task: .requestData(Data("x".utf8)))
        let (ends, end) = AsyncStream.makeStream(of: URL?.self)
        let queue = DispatchQueue(label: "test")
        let requests: [any NetworkRequest] = [
            provider.request(target, as: EmptyBody.self) { _ in end.yield(nil) },
            provider.request(target, as: EmptyBody.self, queue: queue) { _ in end.yield(nil) },
            provider.data(target) { _ in end.yield(nil) },
            provider.data(target, queue: queue) { _ in end.yield(nil) },
            provider.string(target) { _ in end.yield(nil) },
            provider.string(target, queue: queue) { _ in end.yield(nil) },
            provider.upload(target, as: EmptyBody.self, progress: { _ in }) { _ in end.yield(nil) },
            provider.upload(target, as: EmptyBody.self, queue: queue, progress: { _ in }) { _ in end.yield(nil) },
            provider.download(TestTarget(), progress: { _ in }) { end.yield(try? $0.get()) },
            provider.download(TestTarget(), queue: queue, progress: { _ in }) { end.yield(try? $0.get()) },
        ]
        for await file in ends.prefix(requests.count) {
            if let file { try FileManager.default.removeItem(at: file) }
        }
        #expect(requests.allSatisfy { !$0.isCancelled })
        requests.cancel()
    }

    private struct Silent: RequestInterceptor {}

    @Test func `interceptors, transports and errors`() async throws {
        let request = HTTPRequest(url: API.base)
        let context = RequestContext()
        let error = NetworkError(kind: .status, reason: "no", request: request)
        let silent = Silent()
        #expect(try await silent.adapt(request, context: context).url == API.base)
        let next: RequestInterceptor.Next = { HTTPResponse(statusCode: 200, request: $0) }
        #expect(try await silent.intercept(request, context: context, next: next).statusCode == 200)
        guard case .doNotRetry = await silent.retry(after: error, context: context) else { throw Wrong("advice") }
        let decisions: [RetryDecision] = [.doNotRetry, .retry, .retryAfter(.seconds(1)), .fail(error)]
        #expect(decisions.count == 4)
        let transport: any Transport = URLSessionTransport(configuration: .default)
        _ = (transport, URLSessionTransport(), TransportContext())
        let kind: NetworkError.Kind = error.kind
        let failure: TransportFailure? = error.transportFailure
        let attempts: [Attempt] = error.attempts
        #expect(kind == .status && failure == nil && attempts.isEmpty && error.underlying == nil)
        #expect(error.statusCode == nil && error.statusName == nil && error.response == nil && error == error)
    }
}
