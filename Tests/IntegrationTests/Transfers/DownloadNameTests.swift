import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The file names that servers suggest, which must not point outside the folder.
@Suite(.timeLimit(.minutes(5))) struct DownloadNameTests {
    private let provider = NetworkProvider<FileTarget>()

    static let names: [(path: String, disposition: String?, name: String)] = [
        ("/a/report.pdf", nil, "report.pdf"),
        ("/a/report.pdf?x=/y", nil, "report.pdf"),
        ("/a/b%20c.txt", nil, "b c.txt"),
        ("/", nil, "download"),
        ("", nil, "download"),
        ("/x", "attachment", "x"),
        ("/x", "attachment; filename=a.txt", "a.txt"),
        ("/x", "attachment; filename=\"a b.txt\"; size=3", "a b.txt"),
        ("/x", "attachment; FileName = \"a.txt\"", "a.txt"),
        ("/x", "attachment; filename=\"a;b.txt\"", "a;b.txt"),
        ("/x", "attachment; filename=\"a\\\"b.txt\"", "a\"b.txt"),
        ("/x", "attachment; filename=\"../../x\"", "x"),
        ("/x", "attachment; filename=\"a/b\"", "b"),
        ("/x", "attachment; filename=\"..\\\\..\\\\b\"", "b"),
        ("/x", "attachment; filename=\"/etc/passwd\"", "passwd"),
        ("/x", "attachment; filename=\"..\"", "x"),
        ("/x", "attachment; filename=\".\"", "x"),
        ("/x", "attachment; filename=\"/\"", "x"),
        ("/x", "attachment; filename=\"\"", "x"),
        ("/x", "attachment; filename=", "x"),
        ("/x", "attachment; filename=\"  \"", "x"),
        ("/x", "attachment; filename=\"a\tb.txt\"", "ab.txt"),
        ("/x", "attachment; filename*=UTF-8''na%C3%AFve.txt; filename=naive.txt", "naïve.txt"),
        ("/x", "attachment; filename=naive.txt; filename*=UTF-8'en'na%C3%AFve.txt", "naïve.txt"),
        ("/x", "attachment; filename*=UTF-8''..%2F..%2Fx.txt", "x.txt"),
        ("/x", "attachment; filename*=UTF-8''a%00b; filename=c.txt", "ab"),
        ("/x", "attachment; filename*=UTF-8''%FF; filename=c.txt", "c.txt"),
        (
            "/x", "attachment; filename=\"\(String(repeating: "ü", count: 200)).txt\"",
            "\(String(repeating: "ü", count: 125)).txt"
        ),
        // A letter with this many accents is one character.
        (
            "/x", "attachment; filename=\"a\(String(repeating: "\u{301}", count: 300)).txt\"",
            "a\(String(repeating: "\u{301}", count: 125)).txt"
        ),
        // A slash with a combining mark is one character, but still a slash to the file system.
        ("/x", "attachment; filename*=UTF-8''..%2F%CC%81evil.txt", "evil.txt"),
        ("/x", "attachment; filename*=UTF-8''..%2F%E2%80%8Cevil.txt", "evil.txt"),
        ("/x", "attachment; filename*=UTF-8''..%2F%E2%80%8D..%2F%E2%80%8Devil.txt", "evil.txt"),
        ("/x", "attachment; filename*=UTF-8''..%2F%EF%B8%8Fevil.txt", "evil.txt"),
        ("/x", "attachment; filename*=UTF-8''..%5C%CC%81evil.txt", "evil.txt"),
        ("/x", "attachment; filename=\"../\u{301}evil.txt\"", "evil.txt"),
        ("/x", "attachment; filename=\"a.txt\"\u{301}; x=\"b\"", "a.txt"),
        ("/a/x%2F%CC%81evil.txt", nil, "evil.txt"),
        ("/x", "attachment; filename=\"..\u{301}\"", "x"),
        ("/x", "attachment; filename=\".bashrc\"", "bashrc"),
        ("/x", "attachment; filename=\" ...hidden.txt. .\"", "hidden.txt"),
        ("/x", "attachment; filename*=UTF-8''%E2%80%8D.bashrc", "bashrc"),
        ("/x", "attachment; filename*=UTF-8''photo%E2%80%AEgpj.exe", "photogpj.exe"),
        ("/x", "attachment; filename*=UTF-8''%E2%81%A6a%E2%81%A9%E2%80%8E%D8%9C.txt", "a.txt"),
        ("/x", "attachment; filename*=UTF-8''a%C2%85%E2%80%A8%E2%80%A9%EF%BB%BFb.txt", "ab.txt"),
        ("/x", "attachment; filename*=UTF-8''%E3%85%A4%EF%BF%BF", "x"),
        ("/x", "attachment; filename*=UTF-8''%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9.png", "\u{1F468}\u{200D}\u{1F469}.png"),
        ("/x", "attachment; filename=NUL", "_NUL"),
        ("/x", "attachment; filename=\"com1.tar.gz\"", "_com1.tar.gz"),
        ("/x", "attachment; filename=\"Console.txt\"", "Console.txt"),
    ]

    @Test(arguments: names)
    func `a suggested name is one harmless component`(path: String, disposition: String?, name: String) async throws {
        let server = try LoopbackServer()
        let response = LoopbackResponse.text("body")
        server.enqueue(disposition.map { response.header("Content-Disposition", $0) } ?? response)
        let outer = try TemporaryFolder()
        let folder = outer.url.appendingPathComponent("deep/down")
        let file = try await provider.download(.download(from: server, path, to: .suggested(in: folder)))
        #expect(file.lastPathComponent == name)
        #expect(file.deletingLastPathComponent().path == folder.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
        #expect(try FileManager.default.contentsOfDirectory(atPath: outer.url.path) == ["deep"])
    }
    // A caller's path can't contain these, but a server's can.
    @Test(arguments: [
        ("/a/..%2F..%2Fpasswd", "passwd"), ("/a/%2e%2e", "download"), ("/a/..%2F%CC%81evil.txt", "evil.txt"),
    ])
    func `a name that a redirect leads to is one harmless component`(path: String, name: String) async throws {
        let server = try LoopbackServer()
        server.enqueue(.redirect(to: path))
        server.enqueue(.text("body"))
        let outer = try TemporaryFolder()
        let folder = outer.url.appendingPathComponent("deep/down")
        let file = try await provider.download(.download(from: server, "/start", to: .suggested(in: folder)))
        #expect(file.lastPathComponent == name)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
        #expect(try FileManager.default.contentsOfDirectory(atPath: outer.url.path) == ["deep"])
    }
}
