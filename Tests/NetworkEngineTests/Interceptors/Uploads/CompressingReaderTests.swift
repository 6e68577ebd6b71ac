import Foundation
import Testing

@testable import NetworkEngine

@Suite(.timeLimit(.minutes(5))) struct CompressingReaderTests {
    @Test func `without a compressor a body fails, and is not sent empty`() async {
        let body = BodyStream(segments: [.init(.data(Data("text".utf8)), length: 4)])
        let reader = CompressingReader(body, by: nil)
        for _ in 0..<2 {
            let error = await #expect(throws: NetworkError.self) { try await reader.next() }
            #expect(error?.transportFailure == .requestBody)
        }
    }
}
