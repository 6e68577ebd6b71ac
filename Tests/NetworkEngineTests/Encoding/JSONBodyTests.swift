import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5)))
struct JSONBodyTests {
    struct Order: Encodable {
        var items = [Item(price: 1), Item(price: .nan)]
    }
    struct User: Encodable { var userName = 1 }
    struct Item: Encodable { var price: Double }

    @Test func `a value is encoded with its encoder`() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let data = try JSONBody.data(encoding: User(), with: encoder)
        #expect(String(decoding: data, as: UTF8.self) == #"{"user_name":1}"#)
    }

    @Test func `a value that cannot be encoded is named by its coding path, with the cause`() {
        let error = #expect(throws: NetworkError.self) { try JSONBody.data(encoding: Order(), with: JSONEncoder()) }
        #expect(error?.kind == .encoding)
        #expect(error?.reason == "the value at \"items.1.price\" is not a finite number")
        #expect(error?.underlying is EncodingError)
    }

    @Test func `the description names the coding path and shows no value`() {
        let error = #expect(throws: NetworkError.self) {
            try JSONBody.data(encoding: QueryEncoderTests.Failing(), with: JSONEncoder())
        }
        #expect(error?.description.contains("Failing") == true)
        #expect(error?.description.contains("secret") == false)
    }
}
