import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Forms read by third-party parsers.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: FormReader.isInstalled, "werkzeug is not installed: .ci/run installs it")
)
struct MultipartParserTests {
    private func arriving(_ parts: [MultipartFormData]) async throws -> LoopbackRequest {
        let server = try LoopbackServer()
        server.enqueue(.status(204))
        _ = try await NetworkProvider<FileTarget>().upload(
            .upload(to: server, .uploadMultipart(parts)), as: EmptyBody.self)
        return try #require(try await server.requests(atLeast: 1).first)
    }

    private func part(
        _ name: String,
        _ bytes: Data,
        _ filename: String? = nil,
        _ type: String? = nil
    ) -> FormReader.Part {
        var digest = SHA256()
        bytes.withUnsafeBytes { digest.update($0) }
        return .init(name: name, filename: filename, type: type, digest: digest.hexadecimal, count: bytes.count)
    }

    @Test(arguments: FormReader.allCases) func `an independent parser reads data, file and stream parts`(
        _ reader: FormReader
    ) async throws {
        let folder = try TemporaryFolder()
        let bytes = Data.sample(70_000)
        let file = try folder.file("photo.png", "")
        try bytes.write(to: file)
        let stream = BodyStream(
            AsyncStream { pieces in
                for piece in ["--", "\r\n--", "\r\n\r\n", "end"] { pieces.yield(Data(piece.utf8)) }
                pieces.finish()
            })
        let request = try await arriving([
            MultipartFormData(provider: .data(Data("Ann".utf8)), name: "name"),
            MultipartFormData(provider: .file(file), name: "avatar"),
            MultipartFormData(provider: .stream(stream), name: "log", fileName: "a.log"),
            MultipartFormData(provider: .data(Data()), name: "empty"),
        ])
        #expect(
            try await reader.parts(of: request) == [
                part("name", Data("Ann".utf8)), part("avatar", bytes, "photo.png", "image/png"),
                part("log", Data("--\r\n--\r\n\r\nend".utf8), "a.log", "text/plain"), part("empty", Data()),
            ]
        )
    }

    @Test(arguments: FormReader.allCases, [#"a"b"#, "ü 🙂", "a;b=c", "50%", "trailing ", "a\r\nb"])
    func `an independent parser reads names with special characters`(_ reader: FormReader, _ name: String) async throws
    {
        let request = try await arriving([
            MultipartFormData(provider: .data(Data("x".utf8)), name: name, fileName: name + ".txt")
        ])
        #expect(try await reader.parts(of: request) == [part(name, Data("x".utf8), name + ".txt", "text/plain")])
    }

    @Test(arguments: FormReader.allCases)
    func `a name can end in a backslash`(_ reader: FormReader) async throws {
        let request = try await arriving([
            MultipartFormData(provider: .data(Data("x".utf8)), name: #"a\"#, fileName: #"C:\"#, mimeType: "a/b"),
            MultipartFormData(provider: .data(Data("y".utf8)), name: "b"),
        ])
        let parts = try await reader.parts(of: request)
        #expect(parts == [part(#"a\"#, Data("x".utf8), #"C:\"#, "a/b"), part("b", Data("y".utf8))])
    }

    @Test(arguments: FormReader.allCases) func `an independent parser reads a hundred files`(_ reader: FormReader)
        async throws
    {
        let folder = try TemporaryFolder()
        let numbers = Array(1...100)
        let request = try await arriving(
            numbers.map {
                let file = try folder.file("\($0).csv", String(repeating: "\($0),", count: $0 * 20))
                return MultipartFormData(provider: .file(file), name: "f\($0)")
            }
        )
        let expected = numbers.map {
            part("f\($0)", Data(String(repeating: "\($0),", count: $0 * 20).utf8), "\($0).csv", "text/csv")
        }
        #expect(try await reader.parts(of: request) == expected)
    }
}
