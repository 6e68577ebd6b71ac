import Foundation
import TestSupport
import Testing

@testable import NetworkEngine

/// What can be resumed, and how the response to a request for the rest is interpreted.
@Suite(.timeLimit(.minutes(5))) struct DownloadEntityTests {
    private let entity = DownloadEntity(validator: "\"v1\"", total: 100)
    private let request = HTTPRequest(url: API.base)

    private func response(_ status: Int, _ headers: HTTPHeaders) -> HTTPResponse {
        HTTPResponse(statusCode: status, headers: headers, request: request)
    }

    @Test func `the rest is requested with a range and a condition`() {
        let rest = entity.requestForRest(of: request, from: 40)
        #expect(rest.headers["Range"] == "bytes=40-" && rest.headers["If-Range"] == "\"v1\"")
    }

    @Test(
        arguments: [
            (206, ["Content-Range": "bytes 40-99/100", "ETag": "\"v1\""], .rest),
            (206, ["Content-Range": "bytes 40-99/100"], .rest), (206, ["Content-Range": "bytes 40-99/*"], .rest),
            (206, ["Content-Range": "bytes 40-59/100"], .rest),
            (206, ["Content-Range": "bytes 40-99/100", "ETag": "\"v2\""], .unusable),
            (206, ["Content-Range": "bytes 40-99/100", "ETag": "W/\"v1\""], .unusable),
            (206, ["Content-Range": "bytes 39-99/100"], .unusable),
            (206, ["Content-Range": "bytes 40-100/101"], .unusable),
            (206, ["Content-Range": "bytes 40-120/*"], .unusable), (206, [:], .unusable),
            (206, ["Content-Type": "multipart/byteranges; boundary=x"], .unusable),
            (206, ["Content-Range": "bytes 40-99/100", "Content-Encoding": "gzip"], .unusable),
            (416, ["Content-Range": "bytes */100"], .unusable), (200, ["ETag": "\"v2\""], .whole), (204, [:], .whole),
            (503, [:], .other), (302, [:], .other), (401, [:], .other),
        ] as [(Int, HTTPHeaders, DownloadEntity.Answer)])
    func `a partial response is checked before it is used`(
        status: Int, headers: HTTPHeaders, answer: DownloadEntity.Answer
    ) {
        #expect(entity.answer(in: response(status, headers), from: 40) == answer)
    }

    private static let (january, february) = ("Wed, 01 Jan 2025 00:00:00 GMT", "Sat, 01 Feb 2025 00:00:00 GMT")
    private static let now = "Sun, 01 Jun 2025 00:00:00 GMT"

    @Test(
        arguments: [
            (["Last-Modified": january], ["Last-Modified": january], true), (["Last-Modified": january], [:], true),
            (["Last-Modified": january], ["Last-Modified": february], false),
            (["Last-Modified": january], ["ETag": "W/\"2\""], false),
            (["Last-Modified": january], ["ETag": "\"2\"", "Last-Modified": january], false),
            (["ETag": "\"1\"", "Last-Modified": january], ["Last-Modified": february], false),
            (["ETag": "\"1\"", "Last-Modified": january], ["Last-Modified": january], true),
            (["ETag": "\"1\"", "Last-Modified": january], ["ETag": "\"1\"", "Last-Modified": february], true),
            (["ETag": "\"1\""], ["Last-Modified": february], true),
        ] as [(HTTPHeaders, HTTPHeaders, Bool)])
    func `a part of another version is not a rest, also from a server that ignores the condition`(
        whole: HTTPHeaders, part: HTTPHeaders, isRest: Bool
    ) throws {
        let first = response(200, whole.adding(Self.now, for: "Date"))
        let entity = try #require(DownloadEntity(of: first, length: 100))
        let stored = ResumeData(entity: entity, fileName: "NetworkEngine-" + UUID().uuidString, request: request)
        #expect(try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(stored)).entity == entity)
        let rest = response(206, part.adding("bytes 40-99/100", for: "Content-Range"))
        #expect(entity.answer(in: rest, from: 40) == (isRest ? .rest : .unusable))
    }

    @Test(
        arguments: [
            (200, ["ETag": "\"a\""], Int64?.some(5), true), (200, ["ETag": "\"a\""], nil, false),
            (200, ["ETag": "\"a\""], 0, false), (200, ["ETag": "W/\"a\""], 5, false),
            (200, ["ETag": "\"a\u{8}\""], 5, false), (206, ["ETag": "\"a\""], 5, false),
            (200, ["ETag": "\"a\"", "Accept-Ranges": "none"], 5, false),
            (200, ["ETag": "\"a\"", "Content-Encoding": "gzip"], 5, false),
        ] as [(Int, HTTPHeaders, Int64?, Bool)])
    func `only a download with known length and validator can be continued`(
        status: Int,
        headers: HTTPHeaders,
        length: Int64?,
        isOne: Bool
    ) {
        #expect((DownloadEntity(of: response(status, headers), length: length) != nil) == isOne)
    }

    @Test func `resume data can be stored`() throws {
        let name = "NetworkEngine-" + UUID().uuidString
        let data = ResumeData(entity: entity, fileName: name, request: request)
        let stored = try JSONDecoder().decode(ResumeData.self, from: JSONEncoder().encode(data))
        #expect(stored == data && stored.totalBytes == 100)
        #expect(stored.entity == entity)
        #expect(stored.file(in: URL(fileURLWithPath: "/tmp"))?.path == "/tmp/\(name)")
    }

    @Test func `another request needs an entity tag`() {
        let dated = DownloadEntity(validator: "Wed, 01 Jan 2025 00:00:00 GMT", total: 100)
        let name = "NetworkEngine-" + UUID().uuidString
        let digest = ResumeData.digest(of: request)
        for (entity, isUsable) in [(entity, true), (dated, false)] {
            let data = ResumeData(entity: entity, fileName: name, request: request)
            #expect(data.isUsable(for: digest) && data.isUsable(for: "another") == isUsable)
        }
    }

    @Test(arguments: ["../etc/passwd", "NetworkEngine-", "NetworkEngine-../x", "x", "NetworkEngine-1"])
    func `resume data cannot name a file outside the framework's folder`(name: String) {
        let data = ResumeData(entity: entity, fileName: name, request: request)
        #expect(data.file(in: URL(fileURLWithPath: "/tmp")) == nil)
    }
}

extension HTTPHeaders {
    fileprivate func adding(_ value: String, for name: String) -> HTTPHeaders {
        var headers = self
        headers.add(value, for: name)
        return headers
    }
}
