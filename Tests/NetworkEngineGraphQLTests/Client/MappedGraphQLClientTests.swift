import Foundation
import NetworkEngineGraphQL
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Every way to call a GraphQL client throws the app's errors.
@Suite(.timeLimit(.minutes(5))) struct MappedGraphQLClientTests {
    private struct Me: Codable, Equatable, Sendable { var name: String }
    private let operation = GraphQLOperation(document: "{ name }")

    private enum ShopError: Error, Equatable { case outOfStock, other(APIError) }

    private struct ShopErrors: NetworkErrorMapper, GraphQLErrorMapper {
        func map(_ error: NetworkError) -> ShopError { .other(APIError(error)) }
        func map(_ error: GraphQLError) -> ShopError {
            error.errors.contains { $0.code == "OUT_OF_STOCK" } ? .outOfStock : .other(APIError(error))
        }
    }

    private func shop(_ answer: MockAnswer) -> any NetworkCalling<GraphQLOperation, ShopError> {
        GraphQLClient(MockTransport(answer.repeating())).mapErrors(with: ShopErrors())
    }

    private let soldOut = MockAnswer.json(
        #"{"errors": [{"message": "no", "extensions": {"code": "OUT_OF_STOCK"}}]}"#)

    @Test func `every call throws the mapped error`() async {
        let shop = shop(soldOut)
        let uploads = [GraphQLUpload("variables.file", .data(Data("x".utf8)), fileName: "x")]
        let upload = GraphQLOperation(document: "mutation { a }")
        await #expect(throws: ShopError.outOfStock) { let _: Me = try await shop.execute(operation) }
        await #expect(throws: ShopError.outOfStock) { try await shop.execute(operation) }
        await #expect(throws: ShopError.outOfStock) { let _: Void = try await shop.execute(operation) }
        await #expect(throws: ShopError.outOfStock) { let _: Me = try await shop.execute(upload, uploads: uploads) }
        await #expect(throws: ShopError.outOfStock) { try await shop.execute(upload, uploads: uploads) }
        await #expect(throws: ShopError.other(.notFound)) {
            let _: GraphQLResponse<Me> = try await self.shop(.status(404)).response(to: operation)
        }
    }

    @Test func `calls return what those of the client return`() async throws {
        let shop = shop(.json(#"{"data": {"name": "Ada"}}"#))
        let me: Me = try await shop.execute(operation)
        let response: GraphQLResponse<Me> = try await shop.response(to: operation)
        #expect(me == Me(name: "Ada") && response.data == me)
    }

    @Test func `a subscription throws the mapped error`() async {
        let client = GraphQLClientMock(.failure(NetworkError(kind: .offline))).mapErrors(with: APIErrorMapper())
        do throws(APIError) {
            for try await _ in client.subscribe(to: operation, as: Me.self) {}
            Issue.record("the subscription did not fail")
        } catch {
            #expect(error == .offline)
        }
    }

    @Test func `a subscription of a client throws the mapped error of a response and of a refusal`() async {
        let error = #"{"errors": [{"message": "no", "extensions": {"code": "OUT_OF_STOCK"}}]}"#
        let event = Data("event: next\ndata: \(error)\n\n".utf8)
        await #expect(throws: ShopError.outOfStock) {
            for try await _ in shop(.data(event, type: "text/event-stream")).subscribe(to: operation, as: Me.self) {}
        }
        await #expect(throws: ShopError.other(.notFound)) {
            for try await _ in shop(.status(404)).subscribe(to: operation, as: Me.self) {}
        }
    }

    @Test func `calls that support no subscriptions say so, and those that fail throw their own error`() async {
        struct Plain: NetworkCalling {
            var error: ShopError?

            func run<Value: Sendable>(
                _ operation: GraphQLOperation, _ decoding: ResponseDecoding<Value>, settings: CallSettings
            ) async throws(ShopError) -> Value {
                if let error { throw error }
                let request = HTTPRequest(url: API.base)
                do throws(NetworkError) {
                    return try decoding.value(of: HTTPResponse(statusCode: 200, request: request))
                } catch {
                    throw failure(for: error)
                }
            }

            func failure(for error: NetworkError) -> ShopError { .other(APIError(error)) }
        }
        await #expect(throws: ShopError.other(.invalidRequest)) {
            for try await _ in Plain().subscribe(to: operation, as: Me.self) {}
        }
        await #expect(throws: ShopError.outOfStock) {
            for try await _ in Plain(error: .outOfStock).subscribe(to: operation, as: Me.self) {}
        }
    }

    @Test func `one mapper serves clients of both kinds`() async {
        let client = HTTPClientMock(.failure(NetworkError(kind: .offline))).mapErrors(with: ShopErrors())
        await #expect(throws: ShopError.other(.offline)) { let _: Data = try await client.request(.get("/")) }
    }

    @Test func `a GraphQL error has a sentence for people`() {
        let reported = GraphQLError(kind: .responseErrors, errors: [.init(message: "Sold out."), .init(message: "")])
        #expect(reported.localizedDescription.hasPrefix("Sold out."))
        let silent = GraphQLError(kind: .responseErrors, errors: [.init(message: "")])
        #expect(silent.localizedDescription == "The server did not accept the request.")
        let offline = GraphQLError(kind: .network, networkError: NetworkError(kind: .offline, reason: "GET /"))
        #expect(offline.localizedDescription == "There is no internet connection.")
        #expect(GraphQLError(kind: .network).localizedDescription == "Something went wrong.")
    }
}
