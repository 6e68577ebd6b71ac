import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting
@testable import NetworkEngineUploads

/// The protocols' messages, as pure values.
struct UploadMessageTests {
    private static let request = HTTPRequest(url: URL(string: "http://api.test/files")!)

    private func response(_ headers: HTTPHeaders, status: Int = 201) -> HTTPResponse {
        HTTPResponse(statusCode: status, headers: headers, request: Self.request)
    }

    @Test func `one request offers both protocols`() {
        var headers = HTTPHeaders()
        for dialect in ResumableUploadOptions.UploadProtocol.automatic.offered {
            dialect.begin(&headers, length: 12, metadata: ["filename": "ä.txt", "a": ""])
        }
        let fields = [
            "Tus-Resumable": "1.0.0", "Upload-Draft-Interop-Version": "6", "Upload-Complete": "?0",
            "Upload-Length": "12", "Upload-Metadata": "a ,filename w6QudHh0",
        ]
        #expect(headers == HTTPHeaders(declared: fields) || headers.count == fields.count)
        for (name, value) in fields { #expect(headers[name] == value) }
    }

    @Test(arguments: [
        (UploadDialect.tus, ["Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"]),
        (.draft(3), ["Upload-Draft-Interop-Version": "3", "Upload-Incomplete": "?0"]),
        (.draft(5), ["Upload-Draft-Interop-Version": "5", "Upload-Complete": "?1"]),
        (
            .draft(6),
            [
                "Upload-Draft-Interop-Version": "6", "Upload-Complete": "?1",
                "Content-Type": "application/partial-upload",
            ]
        ),
    ])
    func `the last bytes of an upload say so`(dialect: UploadDialect, fields: [String: String]) {
        var headers = HTTPHeaders()
        dialect.append(&headers, at: 7, isLast: true)
        #expect(headers["Upload-Offset"] == "7" && headers.count == fields.count + 1)
        for (name, value) in fields { #expect(headers[name] == value) }
    }

    @Test func `the server's answer tells its protocol`() {
        let both: [UploadDialect] = [.draft(6), .tus]
        #expect(UploadDialect.answered(response(["Tus-Resumable": "1.0.0"]), of: both) == .tus)
        #expect(UploadDialect.answered(response(["Upload-Complete": "?0"]), of: both) == .draft(6))
        #expect(UploadDialect.answered(response(["Upload-Offset": "0"]), of: both) == .draft(6))
        #expect(UploadDialect.answered(response(["Location": "/a"]), of: both) == nil)
        #expect(UploadDialect.answered(response(["Tus-Resumable": "1.0.0"]), of: [.draft(6)]) == nil)
        #expect(UploadDialect.answered(response(["Upload-Offset": "0"]), of: [.tus]) == nil)
    }

    @Test(arguments: ["", "-1", "+1", "1.5", "0x1", " ", "1,2", "99999999999999999999", "one"])
    func `an offset that is no number of bytes is none`(text: String) {
        #expect(UploadDialect.tus.place(in: ["Upload-Offset": text]) == nil)
    }

    @Test func `two offsets are none`() {
        var headers: HTTPHeaders = ["Upload-Offset": "1"]
        headers.add("2", for: "Upload-Offset")
        #expect(UploadDialect.tus.place(in: headers) == nil)
    }

    @Test func `the end of an upload is spelled in two ways`() {
        func isComplete(_ dialect: UploadDialect, _ name: String, _ value: String) -> Bool? {
            dialect.place(in: ["Upload-Offset": " 3 ", name: value])?.isComplete
        }
        #expect(isComplete(.draft(3), "Upload-Incomplete", "?0") == true)
        #expect(isComplete(.draft(3), "Upload-Incomplete", "?1") == false)
        #expect(isComplete(.draft(3), "Upload-Complete", "?1") == nil)
        #expect(isComplete(.draft(6), "Upload-Complete", "?1") == true)
        #expect(isComplete(.draft(6), "Upload-Complete", " ?0") == false)
        #expect(isComplete(.draft(6), "Upload-Complete", "true") == nil)
        #expect(isComplete(.tus, "Upload-Complete", "?1") == nil)
    }

    @Test func `the limits of a server are read`() {
        let headers: HTTPHeaders = ["Upload-Limit": "max-size=100, max-append-size = 7,min-size=x"]
        #expect(UploadDialect.limit("max-size", in: headers) == 100)
        #expect(UploadDialect.limit("max-append-size", in: headers) == 7)
        #expect(UploadDialect.limit("min-size", in: headers) == nil)
        #expect(UploadDialect.limit("max-age", in: headers) == nil)
    }

    @Test func `a state hides its address, and survives a file`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let place = folder.appendingPathComponent("state")
        let store = UploadStateStore.file(at: place)
        #expect(try store.state() == nil)
        for dialect in [UploadDialect.tus, .draft(3)] {
            let state = UploadState(
                address: URL(string: "http://api.test/files/secret")!, length: 9, offset: 4, dialect: dialect,
                fingerprint: .data(digest: "d"), request: "POST s", pieceLimit: nil)
            try store.keep(state)
            #expect(try store.state() == state)
            #expect(!"\(state) \(String(reflecting: state))".contains("secret"))
            let mode = try FileManager.default.attributesOfItem(atPath: place.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        try store.keep(nil)
        #expect(try store.state() == nil)
        try store.keep(nil)
    }

    @Test(arguments: ["", "{}", "not a state", #"{"offset": 3, "length": 2}"#])
    func `a file with anything else than a state is an error, and stays`(text: String) throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try Data(text.utf8).write(to: place)
        defer { try? FileManager.default.removeItem(at: place) }
        let error = #expect(throws: NetworkError.self) { try UploadStateStore.file(at: place).state() }
        #expect(error?.kind == .invalidRequest)
        #expect(try Data(contentsOf: place) == Data(text.utf8))
    }

    @Test func `a state with impossible numbers is an error`() throws {
        for (length, offset, limit) in [(5, 6, nil), (-1, -1, nil), (5, -1, nil), (5, 0, 0)] as [(Int64, Int64, Int64?)]
        {
            let state = UploadState(
                address: Self.request.url, length: length, offset: offset, dialect: .tus,
                fingerprint: .data(digest: ""), request: "", pieceLimit: limit)
            let store = UploadStateStore(load: { state }, save: { _ in })
            #expect(throws: NetworkError.self) { try store.state() }
        }
    }
}
