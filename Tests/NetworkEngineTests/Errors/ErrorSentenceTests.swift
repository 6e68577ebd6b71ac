import Foundation
import Testing

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// The messages that an app shows to its users.
@Suite(.timeLimit(.minutes(5))) struct ErrorSentenceTests {
    private static let request = HTTPRequest(method: .delete, url: URL(string: "http://api.test/users/7?token=s3cret")!)

    private static func error(status: Int) -> NetworkError {
        let response = HTTPResponse(statusCode: status, body: .data(Data("s3cret".utf8)), request: request)
        return NetworkError(kind: .status, reason: "status \(status) is not in 200..<300", response: response)
    }

    private static func isForPeople(_ sentence: String) -> Bool {
        let words = ["DELETE", "http", "api.test", "s3cret", "status", "JSON", "/users"]
        return sentence.hasSuffix(".") && !sentence.contains(where: \.isNumber)
            && !words.contains(where: sentence.contains)
    }

    @Test(arguments: NetworkErrorKind.allCases)
    func `every kind of error has a sentence without technical terms`(kind: NetworkErrorKind) {
        let error = NetworkError(kind: kind, reason: "DELETE /users/7", request: Self.request)
        #expect(Self.isForPeople(error.localizedDescription), "\(error.localizedDescription)")
        #expect(error.errorDescription == error.localizedDescription)
    }

    @Test func `every status has a sentence without technical terms, the same for both types of errors`() {
        for status in 300...599 {
            let error = Self.error(status: status)
            #expect(Self.isForPeople(error.localizedDescription), "\(status)")
            #expect(APIError(error).localizedDescription == error.localizedDescription, "\(status)")
        }
    }

    @Test(arguments: [
        (401, "You need to sign in again."), (403, "You do not have permission to do this."),
        (404, "The requested item could not be found."), (408, "The request took too long. Please try again."),
        (409, "The request conflicts with newer data on the server."), (413, "The content is too large to send."),
        (422, "Some of the information is not valid."), (418, "The server did not accept the request."),
        (429, "There were too many requests. Please try again later."),
        (500, "The server has a problem. Please try again later."),
        (503, "The service is not available right now. Please try again later."),
    ])
    func `a family of statuses has its sentence`(status: Int, sentence: String) {
        #expect(Self.error(status: status).localizedDescription == sentence)
    }

    @Test func `a refresh that failed without a network does not ask to sign in again`() {
        let offline = NetworkError.authentication(.failed(NetworkError(kind: .offline)))
        #expect(offline.localizedDescription == "There is no internet connection." && APIError(offline) == .offline)
        let busy = NetworkError.authentication(.failed(Self.error(status: 503)))
        #expect(APIError(busy) == .serverError(statusCode: 503))
        let late = NetworkError.authentication(.timedOut)
        #expect(APIError(late) == .timedOut)
        for failure in [RefreshFailure.excessiveRefresh, .expiredOnArrival, .failed(Self.error(status: 403))] {
            let refused = NetworkError.authentication(failure)
            #expect(refused.localizedDescription == "Your access could not be renewed. Please try again later.")
            #expect(APIError(refused) == .other(description: refused.reason))
        }
    }

    @Test func `an error that ends the session asks to sign in`() {
        let errors = [RefreshFailure.sessionExpired, .signedOut].map { NetworkError.authentication($0) }
        for over in errors + [NetworkError(kind: .authentication)] {
            #expect(over.endsSession && over.localizedDescription == "You need to sign in again.")
            #expect(APIError(over) == .authenticationFailed)
        }
        #expect(!Self.error(status: 401).endsSession)
        #expect(!NetworkError(kind: .authentication, underlying: CocoaError(.fileNoSuchFile)).endsSession)
        #expect(!NetworkError(kind: .offline, underlying: RefreshFailure.signedOut).endsSession)
    }

    @Test func `a strings table of the app translates a sentence`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).bundle")
        defer { try? FileManager.default.removeItem(at: folder) }
        let language = folder.appendingPathComponent("en.lproj")
        try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
        let table = #""offline" = "Kein Netz.";"#
        try Data(table.utf8).write(to: language.appendingPathComponent("NetworkEngine.strings"))
        let bundle = try #require(Bundle(url: folder))
        #expect(ErrorSentence.offline.text(in: bundle) == "Kein Netz.")
        #expect(ErrorSentence.timeout.text(in: bundle) == ErrorSentence.timeout.english)
    }

    @Test func `the article lists every sentence with its key`() throws {
        let catalog = URL(filePath: #filePath)
            .appendingPathComponent("../../../../Sources/NetworkEngine/NetworkEngine.docc").standardized
        let article = try String(
            contentsOf: catalog.appendingPathComponent("ErrorMessages.md"), encoding: .utf8)
        for sentence in ErrorSentence.allCases {
            #expect(article.contains("| `\(sentence.rawValue)` | \(sentence.english) |"), "\(sentence)")
        }
    }
}
