import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

@Suite(.timeLimit(.minutes(5))) struct APIErrorTests {
    private struct User: Decodable, Equatable, Sendable { var id: Int }

    private enum ShopError: Error, Equatable { case outOfStock(left: Int), other(APIError) }

    private struct ShopErrors: NetworkErrorMapper {
        func map(_ error: NetworkError) -> ShopError {
            guard let problem = error.problem, problem.type == "out-of-stock" else { return .other(APIError(error)) }
            return .outOfStock(left: problem.member("left") ?? 0)
        }
    }

    @Test(arguments: [
        (404, APIError.notFound), (401, .authenticationFailed), (400, .serverError(statusCode: 400)),
        (503, .serverError(statusCode: 503)),
    ])
    func `a status maps to not found, a failed authentication or a server error`(status: Int, expected: APIError) async
    {
        let client = HTTPClient(MockTransport(.status(status))).mapErrors(with: APIErrorMapper())
        await #expect(throws: expected) { let _: User = try await client.request(.get("/")) }
    }

    @Test(arguments: NetworkErrorKind.allCases)
    func `every kind of failure has a meaning`(kind: NetworkErrorKind) {
        let error = APIError(NetworkError(kind: kind, reason: "why"))
        let expected: [NetworkErrorKind: APIError] = [
            .invalidRequest: .invalidRequest, .encoding: .invalidRequest, .unsupported: .invalidRequest,
            .decoding: .decodingFailed(description: "why"), .authentication: .authenticationFailed,
            .offline: .offline, .connection: .connectionFailed, .tls: .connectionFailed,
            .transport: .connectionFailed, .timeout: .timedOut, .cancelled: .cancelled,
            .interceptor: .other(description: "why"),
        ]
        #expect(error == expected[kind] ?? .invalidResponse && error.errorDescription?.isEmpty == false)
    }

    @Test func `an APIError from an interceptor reaches the caller`() {
        let error = NetworkError(kind: .interceptor, underlying: APIError.rejected(messages: ["no", "way"]))
        #expect(APIError(error) == .rejected(messages: ["no", "way"]))
        #expect(APIError(error).localizedDescription == "no way")
        #expect(APIError.rejected(messages: [""]).localizedDescription == "The server did not accept the request.")
    }

    @Test func `one mapper of the app applies to every way to call`() async {
        let headers: HTTPHeaders = ["Content-Type": "application/problem+json; charset=utf-8"]
        let answer = MockAnswer.data(Data(#"{"type": "out-of-stock", "left": 3}"#.utf8), status: 409, headers: headers)
        let shop = NetworkProvider<TestTarget>(MockTransport(answer.repeating())).mapErrors(with: ShopErrors())
        let target = TestTarget()
        await #expect(throws: ShopError.outOfStock(left: 3)) { let _: User = try await shop.request(target) }
        await #expect(throws: ShopError.outOfStock(left: 3)) { try await shop.request(target) }
        await #expect(throws: ShopError.outOfStock(left: 3)) { try await shop.data(target) }
        await #expect(throws: ShopError.outOfStock(left: 3)) { try await shop.send(target) }
        let onMain = await withCheckedContinuation { waiter in
            shop.request(target, as: User.self) { waiter.resume(returning: $0) }
        }
        let onQueue = await withCheckedContinuation { waiter in
            shop.request(target, as: User.self, queue: .global()) { waiter.resume(returning: $0) }
        }
        #expect(onMain.error == .outOfStock(left: 3) && onQueue.error == .outOfStock(left: 3))
    }

    @Test func `a client's errors are mapped for every way to call`() async {
        let client = HTTPClientMock()
        client.answer = .failure(NetworkError(kind: .offline))
        let shop = client.mapErrors(with: ShopErrors())
        await #expect(throws: ShopError.other(.offline)) { let _: Data = try await shop.request(.get("/")) }
        let onMain = await withCheckedContinuation { waiter in
            shop.request(.get("/"), as: User.self) { waiter.resume(returning: $0) }
        }
        let onQueue = await withCheckedContinuation { waiter in
            shop.request(.get("/"), as: User.self, queue: .global()) { waiter.resume(returning: $0) }
        }
        #expect(onMain.error == .other(.offline) && onQueue.error == .other(.offline))
    }

    private struct Listed: ProviderRequestable {
        typealias Failure = APIError
        static let provider = NetworkProvider<Listed>(MockTransport(MockAnswer.status(404).repeating()))
        var baseURL: URL { API.base }
        var path: String { "/" }
        var method: HTTPMethod { .get }
        var task: NetworkTask { .requestPlain }
    }

    @Test func `a target that runs itself can fail with an APIError`() async {
        await #expect(throws: APIError.notFound) { try await Listed().request(type: User.self) }
    }
}
