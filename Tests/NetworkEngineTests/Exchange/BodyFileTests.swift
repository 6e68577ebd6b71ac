import Foundation
import NetworkEngine
import Testing

@Suite(.timeLimit(.minutes(5))) struct BodyFileTests {
    @Test func `a partial file belongs to one writer until it is released`() throws {
        let place = URL.freshTemporaryFile
        defer { try? FileManager.default.removeItem(at: place) }
        let file = try BodyFile.creating(place)
        try file.write(Data("begun".utf8))
        try file.claim()
        #expect(throws: POSIXError.self) { try BodyFile.continuing(place) }
        file.release()
        let again = try BodyFile.continuing(place)
        #expect(again.length == 5)
        withExtendedLifetime((file, again)) {}
    }
}
