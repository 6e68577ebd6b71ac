import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineTesting
import Testing

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

    private func shop(_ answer: MockAnswer) -> MappedGraphQLClient<ShopErrors> {
        GraphQLClient(MockTransport(answer.repeating())).mappingErrors(with: ShopErrors())
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
        let client = GraphQLClientMock(.failure(NetworkError(kind: .offline))).mappingErrors(with: APIErrorMapper())
        do throws(APIError) {
            for try await _ in client.subscribe(to: operation, as: Me.self) {}
            Issue.record("the subscription did not fail")
        } catch {
            #expect(error == .offline)
        }
    }

    @Test func `one mapper serves clients of both kinds`() async {
        let client = HTTPClientMock(.failure(NetworkError(kind: .offline))).mappingErrors(with: ShopErrors())
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
