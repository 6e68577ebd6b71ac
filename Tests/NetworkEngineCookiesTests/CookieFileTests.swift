import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineCookies

@Suite(.timeLimit(.minutes(5))) struct CookieFileTests {
    private let clock = WallClock()

    private func jar(_ file: URL) throws -> CookieJar { try CookieJar(file: file, now: clock.now) }

    @Test func `cookies with a date of expiry survive in the file`() async throws {
        try await withTemporaryFile { file in
            let first = try jar(file)
            try first.receive(
                "a=1; Max-Age=100; Path=/; HttpOnly; SameSite=Strict; Secure", "b=2",
                "c=3; Domain=a.test; Expires=Fri, 01 Jan 2100 00:00:00 GMT; Path=/x", from: "https://www.a.test/")
            let second = try jar(file)
            #expect(try second.sent(to: "https://www.a.test/x") == "c=3; a=1")
            #expect(try second.sent(to: "https://a.test/x") == "c=3")
            #expect(
                second.cookies(for: try "https://www.a.test/".url)
                    == first.cookies(for: try "https://www.a.test/".url)
                    .filter { $0.name == "a" })
            clock.advance(by: 101)
            #expect(try jar(file).sent(to: "https://www.a.test/x") == "c=3")
        }
    }

    @Test func `a removed or replaced cookie leaves the file`() async throws {
        try await withTemporaryFile { file in
            let first = try jar(file)
            try first.receive("a=1; Max-Age=100", "b=2; Max-Age=100", "c=3; Max-Age=100", from: "http://a.test/")
            try first.receive("a=; Max-Age=0", "b=5", from: "http://a.test/")
            #expect(try jar(file).sent(to: "http://a.test/") == "c=3")
            first.removeAll()
            #expect(try jar(file).sent(to: "http://a.test/").isEmpty)
        }
    }

    @Test func `a site without cookies leaves the file`() async throws {
        try await withTemporaryFile { file in
            let first = try jar(file)
            try first.receive("a=1; Max-Age=100; Domain=a.test", from: "https://www.a.test/")
            try first.receive("b=2; Max-Age=100", from: "https://b.test/")
            first.removeAll(ofSiteOf: try "https://api.a.test/".url)
            #expect(try jar(file).sent(to: "https://www.a.test/").isEmpty)
            #expect(try jar(file).sent(to: "https://b.test/") == "b=2")
        }
    }

    @Test func `the order of cookies survives in the file`() async throws {
        try await withTemporaryFile { file in
            try jar(file).receive("b=1; Max-Age=9", "a=2; Max-Age=9", "c=3; Max-Age=9", from: "http://a.test/")
            let second = try jar(file)
            try second.receive("d=4; Max-Age=9", "b=5; Max-Age=9", from: "http://a.test/")
            #expect(try jar(file).sent(to: "http://a.test/") == "b=5; a=2; c=3; d=4")
        }
    }

    @Test func `only the user can read the file`() async throws {
        try await withTemporaryFile { file in
            try Data().write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            let jar = try jar(file)
            try jar.receive("a=1; Max-Age=100", from: "http://a.test/")
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
            #expect(names.sorted() == ["file", "file.corrupt"])
        }
    }

    @Test(arguments: [
        "", "x", "{}", "[]", #"{"version": 2, "cookies": []}"#, #"{"version": 1, "cookies": [{"name": "a"}]}"#,
        #"{"version": 1, "cookies": "#,
    ])
    func `a file that is not one of a jar is set aside`(text: String) async throws {
        try await withTemporaryFile { file in
            try Data(text.utf8).write(to: file)
            let jar = try jar(file)
            #expect(jar.cookies(for: try "http://a.test/".url) == [])
            #expect(try String(contentsOf: file.appendingPathExtension("corrupt"), encoding: .utf8) == text)
            try jar.receive("a=1; Max-Age=100", from: "http://a.test/")
            #expect(try self.jar(file).sent(to: "http://a.test/") == "a=1")
        }
    }

    @Test func `a cookie that no jar would save is not read from a file`() async throws {
        try await withTemporaryFile { file in
            try jar(file).receive("a=1; Max-Age=100", "b=2; Max-Age=100", from: "http://a.test/")
            let text = try String(contentsOf: file, encoding: .utf8)
            let changed = text.replacingOccurrences(of: #""value":"1""#, with: #""value":"1\r\nX: y""#)
            #expect(changed != text)
            try Data(changed.utf8).write(to: file)
            #expect(try jar(file).sent(to: "http://a.test/") == "b=2")
        }
    }

    @Test func `a file that cannot be created is an error`() async throws {
        try await withTemporaryFile { file in
            try Data().write(to: file)
            #expect(throws: (any Error).self) { try jar(file.appendingPathComponent("below")) }
            #expect(throws: (any Error).self) { try jar(file.deletingLastPathComponent()) }
        }
    }

    @Test func `a jar keeps what it could not save, and saves it later`() async throws {
        try await withTemporaryFile { file in
            let folder = file.deletingLastPathComponent().appendingPathComponent("folder")
            let url = folder.appendingPathComponent("jar")
            let jar = try jar(url)
            try FileManager.default.removeItem(at: folder)
            try jar.receive("a=1; Max-Age=100", from: "http://a.test/")
            #expect(throws: (any Error).self) { try jar.save() }
            #expect(try jar.sent(to: "http://a.test/") == "a=1")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try jar.save()
            #expect(try self.jar(url).sent(to: "http://a.test/") == "a=1")
        }
    }

    @Test func `tasks that change one jar leave its last cookies in the file`() async throws {
        try await withTemporaryFile { file in
            let jar = try jar(file)
            let url = try "http://a.test/".url
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<6 {
                    group.addTask {
                        for turn in 0..<20 { jar.set(fromHeader: "k\(task)=\(turn); Max-Age=100", for: url) }
                    }
                }
            }
            let saved = try self.jar(file)
            #expect(saved.cookies(for: url) == jar.cookies(for: url))
            #expect(Set(saved.cookies(for: url).map(\.pair)) == Set((0..<6).map { "k\($0)=19" }))
        }
    }
}
