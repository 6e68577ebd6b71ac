import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

/// The names that servers suggest for files, which must not lead out of the folder.
@Suite(.timeLimit(.minutes(5))) struct DownloadNameTests {
    private let provider = NetworkProvider<FileTarget>()

    static let names: [(path: String, disposition: String?, name: String)] = [
        ("/a/report.pdf", nil, "report.pdf"),
        ("/a/report.pdf?x=/y", nil, "report.pdf"),
        ("/a/b%20c.txt", nil, "b c.txt"),
        ("/", nil, "download"),
        ("", nil, "download"),
        ("/a/..%2F..%2Fpasswd", nil, "passwd"),
        ("/a/%2e%2e", nil, "download"),
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
}
