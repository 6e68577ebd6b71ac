import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// How other parsers read our multipart bodies.
@Suite(.timeLimit(.minutes(5))) struct MultipartFaults {
    /// Reads the body with Python's own parser and prints each part's names and size, one part per line.
    private static let reader = """
        import email, email.policy, sys
        kind, path = sys.argv[1], sys.argv[2]
        body = b"Content-Type: " + kind.encode() + b"\\r\\n\\r\\n" + open(path, "rb").read()
        for part in email.message_from_bytes(body, policy=email.policy.HTTP).get_payload():
            field = part.get_param("name", header="content-disposition")
            file = part.get_param("filename", header="content-disposition")
            content = part.get_payload(decode=True)
            print(field, file, len(content), sum(content) % 65521, sep="|")
        """

    @Test func `an independent parser finds every part, name and byte`() async throws {
        guard Program.path(of: "python3") != nil else { return print("skipped: there is no python3") }
        let contents = [Data("plain".utf8), Data([0, 13, 10, 45, 45, 255]), Data(), Data("--\\r\\n--".utf8)]
        let names = ["a", "a\"b", "a\r\nb", "../a", "a%22b", "a;b=c"]
        var parts = names.enumerated().map { index, name in
            MultipartFormData(provider: .data(contents[index % 4]), name: name, fileName: "f-" + name + ".txt")
        }
        parts += (0..<300).map { MultipartFormData(provider: .data(contents[$0 % 4]), name: "n\($0)", fileName: "f") }
        let body = try MultipartEncoder().encode(parts)
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("body")
        try #require(body.data).write(to: file)
        let lines = try await Program.run("python3", ["-c", Self.reader, body.contentType, file.path]).output
            .split(separator: "\n").map(String.init)
        let escaped = names.map {
            $0.replacingOccurrences(of: "\"", with: "%22").replacingOccurrences(of: "\r\n", with: "%0D%0A")
        }
        #expect(lines.count == parts.count)
        for (index, line) in lines.enumerated() {
            let content = contents[(index < names.count ? index : index - names.count) % 4]
            let (name, file) =
                index < names.count ? (escaped[index], "f-\(escaped[index]).txt") : ("n\(index - names.count)", "f")
            #expect(line == "\(name)|\(file)|\(content.count)|\(content.reduce(0) { $0 + Int($1) } % 65521)")
        }
    }
}
