import Foundation
import TestSupport
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// One row of the fault matrix.
struct FaultCase: Sendable, CustomTestStringConvertible {
    typealias ID = String

    let name: String
    var expected: FaultExpectation
    /// The answer to an earlier request that opens the connection.
    var warmUp: LoopbackResponse?
    /// The answers to the first requests.
    var answers: [LoopbackResponse] = []
    /// The answer after the last scripted one. Its text shows that an unexpected request arrived.
    var serve: @Sendable (LoopbackRequest) -> LoopbackResponse = { .text("again: \($0.method)", status: 508) }
    var request: @Sendable (LoopbackServer) -> HTTPRequest = { $0.request("case") }
    var configure: @Sendable (inout NetworkConfiguration) -> Void = { _ in }
    var savesToFile = false
    var server = LoopbackConfiguration()
    /// The part of a response to compare.
    var tell: @Sendable (HTTPResponse) -> String = { $0.text }

    var id: ID { name }
    var testDescription: String { name }

    init(_ name: String, _ answers: LoopbackResponse..., expecting expected: FaultExpectation) {
        self.name = name
        self.expected = expected
        self.answers = answers
    }

    init(_ name: String, raw text: String, expecting expected: FaultExpectation) {
        self.init(name, .raw(text), expecting: expected)
    }

    // MARK: Copies with one change, to be chained

    func asking(
        _ method: HTTPMethod = .get,
        _ path: String = "case",
        headers: HTTPHeaders = [:],
        body: RequestBody = .absent
    ) -> Self {
        with { $0.request = { $0.request(path, method: method, headers: headers, body: body) } }
    }

    /// Requests a custom address.
    func asking(_ request: @escaping @Sendable (LoopbackServer) -> HTTPRequest) -> Self {
        with { $0.request = request }
    }

    func listening(on address: LoopbackConfiguration.Address) -> Self { with { $0.server.address = address } }

    func warmed(by answer: LoopbackResponse) -> Self { with { $0.warmUp = answer } }

    func telling(_ tell: @escaping @Sendable (HTTPResponse) -> String) -> Self { with { $0.tell = tell } }

    /// Saves the body to a file, and checks the number of bytes.
    func savingToFile() -> Self {
        with {
            $0.savesToFile = true
            $0.tell = { "\($0.savedCount)" }
        }
    }

    func configured(_ configure: @escaping @Sendable (inout NetworkConfiguration) -> Void) -> Self {
        with { $0.configure = configure }
    }

    func serving(_ serve: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse) -> Self {
        with { $0.serve = serve }
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension HTTPResponse {
    /// The number of bytes in the body file, which is then removed.
    fileprivate var savedCount: Int {
        guard case .file(let url) = body else { return -1 }
        defer { try? FileManager.default.removeItem(at: url) }
        return (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? -1
    }
}
