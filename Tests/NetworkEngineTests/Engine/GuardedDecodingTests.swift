import Foundation
import NetworkEngine
import Testing

/// Matrix 36: a document that ends with the bracket that is one too deep ends a process that uses the platform's decoder.
@Suite(.timeLimit(.minutes(5))) struct GuardedDecodingTests {
    @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian])
    func `36: one bracket too many at the very end is an error of decoding`(encoding: String.Encoding) throws {
        for text in [String(repeating: "[", count: 513), String(repeating: "{\"a\":", count: 512) + "{"] {
            let document = try #require(text.data(using: encoding))
            let error = #expect(throws: NetworkError.self) {
                try ResponseDecoding<[String]>.json.value(.sample(document, type: "application/json"))
            }
            #expect(error?.kind == .decoding)
        }
    }

    @Test func `a document that ends otherwise is decoded as always`() throws {
        #expect(try ResponseDecoding<[String]>.json.value(.sample("[\"[\"]")) == ["["])
    }
}
