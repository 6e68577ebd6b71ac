import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineBackground

@Suite(.timeLimit(.minutes(5))) struct BackgroundTransferTests {
    static let destinations: [DownloadDestination] = [
        .temporary,
        .file(at: URL(fileURLWithPath: "/home/app/Documents/a b.pdf"), options: [.replace]),
        .file(at: URL(fileURLWithPath: "/elsewhere/x")).verifying(.sha256(String(repeating: "ab", count: 32))),
        .suggested(in: URL(fileURLWithPath: "/home/app/Library", isDirectory: true)).verifying(.fromServer),
    ]

    @Test(arguments: destinations.indices)
    func `a transfer is the same after its description was stored`(index: Int) throws {
        let saved = try SavedDestination(Self.destinations[index], home: "/home/app")
        let transfer = BackgroundTransfer(kind: .download, tag: "Ünïcode \"7\"\n", destination: saved)
        let text = try #require(transfer.taskDescription)
        #expect(BackgroundTransfer(taskDescription: text) == transfer)
    }

    @Test func `a description has neither the address nor the headers of the request`() throws {
        let url = try #require(URL(string: "https://example.com/secret-path?token=abc"))
        let request = HTTPRequest(url: url, headers: ["Authorization": "Bearer abc"])
        let plan = try BackgroundPlan.download(request, to: .temporary, tag: "report")
        let text = try #require(plan.transfer.taskDescription)
        for secret in ["abc", "Bearer", "example.com", "secret-path"] { #expect(!text.contains(secret)) }
        #expect(text.contains("report"))
    }

    @Test(arguments: [nil, "", "video 7", "{}", #"{"id":"7","kind":"download","tag":""}"#, "[1]"] as [String?])
    func `a description that someone else wrote is no transfer`(text: String?) {
        #expect(BackgroundTransfer(taskDescription: text) == nil)
    }

    @Test func `a path in the home folder moves with the folder`() throws {
        let place = URL(fileURLWithPath: "/home/old/Documents/a.pdf")
        let saved = try SavedDestination(.file(at: place, options: [.replace, .createFolders]), home: "/home/old")
        let destination = saved.destination(home: "/home/new")
        guard case .file(let url) = destination.place else {
            Issue.record("not a file")
            return
        }
        #expect(url.path == "/home/new/Documents/a.pdf")
        #expect(destination.options == [.replace, .createFolders])
    }

    @Test(arguments: ["/home/older/a.pdf", "/elsewhere/a.pdf", "/home/old"])
    func `a path outside of the home folder stays`(path: String) throws {
        let saved = try SavedDestination(.file(at: URL(fileURLWithPath: path)), home: "/home/old")
        guard case .file(let url) = saved.destination(home: "/home/new").place else {
            Issue.record("not a file")
            return
        }
        #expect(url.path == path)
    }

    @Test func `a digest outlives the process`() throws {
        let digits = String(repeating: "0f", count: 32)
        let saved = try SavedDestination(.temporary.verifying(.sha256(digits)))
        #expect(saved.destination().digest == .sha256(digits))
    }

    @Test func `a destination that a closure chooses is not supported`() {
        let error = #expect(throws: NetworkError.self) {
            try SavedDestination(.custom { _ in URL(fileURLWithPath: "/tmp/x") })
        }
        #expect(error?.kind == .unsupported)
    }
}
