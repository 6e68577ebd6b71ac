import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineBackground

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct BackgroundExchangeTests {
    private let request = HTTPRequest(url: URL(fileURLWithPath: "/"))
    private let upload = BackgroundTransfer(kind: .upload, tag: "")
    private let download = BackgroundTransfer(kind: .download, tag: "")

    private func exchange(limit: Int64 = 100) -> BackgroundExchange {
        BackgroundExchange(limit: limit, validation: .success)
    }

    private func ending(_ status: Int? = 200, failure: BackgroundFailure? = nil) -> BackgroundExchange.Ending {
        .init(request: request, status: status.map { ($0, ["Content-Type": "text/plain"]) }, failure: failure)
    }

    @Test func `an upload ends with the bytes of its answer`() throws {
        var exchange = exchange()
        let goesOn = [Data("ab".utf8), Data("c".utf8)].map { exchange.received($0) }
        let outcome = exchange.ended(ending(201), of: upload)
        let response = try outcome?.result.get()
        #expect(goesOn == [true, true])
        #expect(response?.statusCode == 201)
        #expect(response?.text == "abc")
        #expect(outcome?.file == nil)
    }

    @Test(
        arguments: [
            (["Content-Length": "3"], 201, .connection), (["Content-Length": "3"], 403, .status),
            (["Content-Length": "2"], 201, nil), (["Content-Length": "3", "Content-Encoding": "gzip"], 201, nil),
        ] as [(HTTPHeaders, Int, NetworkErrorKind?)])
    func `an answer of which an earlier process had received a part is an error`(
        headers: HTTPHeaders, status: Int, kind: NetworkErrorKind?
    ) {
        var exchange = exchange()
        _ = exchange.received(Data("ab".utf8))
        let outcome = exchange.ended(.init(request: request, status: (status, headers)), of: upload)
        #expect(outcome?.error?.kind == kind)
    }

    @Test func `a transfer has one outcome`() {
        var exchange = exchange()
        let first = exchange.ended(ending(), of: upload)
        let second = exchange.ended(ending(), of: upload)
        #expect(first != nil)
        #expect(second == nil)
    }

    @Test func `a status that is not accepted is an error with the body`() {
        var exchange = exchange()
        _ = exchange.received(Data("no".utf8))
        let outcome = exchange.ended(ending(403), of: upload)
        #expect(outcome?.error?.kind == .status)
        #expect(outcome?.error?.statusCode == 403)
        #expect(outcome?.error?.response?.text == "no")
    }

    @Test func `an answer beyond the limit stops the task and is an error`() {
        var exchange = exchange(limit: 3)
        let goesOn = [2, 2, 1].map { exchange.received(Data(count: $0)) }
        let failure = BackgroundFailure(URLError(.cancelled))
        let outcome = exchange.ended(ending(failure: failure), of: upload)
        #expect(goesOn == [true, false, false])
        #expect(outcome?.error?.kind == .limit)
    }

    @Test func `a download ends with its placed file`() {
        var exchange = exchange()
        let file = URL(fileURLWithPath: "/tmp/placed")
        exchange.placed(.success(HTTPResponse(statusCode: 200, body: .file(file), request: request)))
        exchange.placed(.failure(NetworkError(kind: .transport)))
        let outcome = exchange.ended(ending(), of: download)
        #expect(outcome?.file == file)
    }

    @Test func `a file that cannot be placed is an error without resume data`() {
        var exchange = exchange()
        exchange.placed(.failure(NetworkError(kind: .invalidRequest, reason: "there is a file already")))
        let failure = BackgroundFailure(URLError(.unknown), resumeData: Data("r".utf8))
        let outcome = exchange.ended(ending(failure: failure), of: download)
        #expect(outcome?.error?.kind == .invalidRequest)
        #expect(outcome?.resumeData == nil)
    }

    @Test func `a download that ends without a file is an error`() {
        var exchange = exchange()
        let outcome = exchange.ended(ending(), of: download)
        #expect(outcome?.error?.kind == .invalidResponse)
    }

    @Test func `an end without a response is an error`() {
        var exchange = exchange()
        let outcome = exchange.ended(ending(nil), of: upload)
        #expect(outcome?.error?.kind == .invalidResponse)
    }

    @Test func `an interrupted download keeps the system's resume data out of its error`() {
        var exchange = exchange()
        let data = Data("Authorization: Bearer s3cret-t0ken".utf8)
        let error = URLError(.networkConnectionLost, userInfo: ["NSURLSessionDownloadTaskResumeData": data])
        let outcome = exchange.ended(ending(failure: .init(error, resumeData: data)), of: download)
        #expect(outcome?.resumeData == data)
        #expect(outcome?.error?.kind == .connection)
        #expect(outcome?.error?.transportFailure == .lostMidBody)
        let shown = (outcome?.error?.underlying as? URLError)?.userInfo
        #expect(shown?["NSURLSessionDownloadTaskResumeData"] == nil)
        var text = ""
        dump(outcome, to: &text)
        #expect(!text.contains("s3cret"))
    }

    @Test(arguments: [
        (URLError.Code.notConnectedToInternet, NetworkErrorKind.offline), (.timedOut, .timeout),
        (.cannotFindHost, .connection), (.serverCertificateUntrusted, .tls),
    ])
    func `an error of the system is mapped as that of a call`(code: URLError.Code, kind: NetworkErrorKind) {
        var exchange = exchange()
        let outcome = exchange.ended(ending(nil, failure: BackgroundFailure(URLError(code))), of: upload)
        #expect(outcome?.error?.kind == kind)
        #expect(outcome?.error?.request != nil)
    }

    @Test(arguments: [nil, 0, 1, 2, 99] as [Int?])
    func `a cancellation is a cancellation, by the app or with the reason of the system`(reason: Int?) {
        let cancellation = reason.flatMap(BackgroundFailure.SystemCancellation.init)
        let failure = BackgroundFailure(URLError(.cancelled), cancellation: cancellation)
        var exchange = exchange()
        let outcome = exchange.ended(ending(nil, failure: failure), of: download)
        #expect(outcome?.error?.kind == .cancelled)
        #expect(outcome?.error?.reason.isEmpty == (cancellation == nil))
    }
}

extension BackgroundOutcome {
    fileprivate var error: NetworkError? {
        if case .failure(let error) = result { error } else { nil }
    }
}
