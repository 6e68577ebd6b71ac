import Foundation
import Testing

@testable import NetworkEngine

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

    @Test func `a file has a version without being opened; a folder, a link and a missing file have none`() throws {
        let place = URL.freshTemporaryFile, link = URL.freshTemporaryFile
        defer { for url in [place, link] { try? FileManager.default.removeItem(at: url) } }
        let file = try BodyFile.creating(place)
        try file.write(Data("begun".utf8))
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place)
        let version = try #require(BodyFile.version(atPath: place.path))
        let now = Date().timeIntervalSince1970
        #expect(try version == file.version() && version.length == 5 && (now - 60...now + 60).contains(version.time))
        for path in [link.path, place.deletingLastPathComponent().path, place.path + "-"] {
            #expect(BodyFile.version(atPath: path) == nil)
        }
    }
}
