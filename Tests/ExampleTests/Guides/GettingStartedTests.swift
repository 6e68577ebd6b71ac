import Foundation
import NetworkEngine
import NetworkEngineTesting
import TestSupport
import Testing

// The samples of “Getting started”, which form a small module.

// sample
nonisolated struct Book: Codable, Equatable, Identifiable, Sendable {
    var id: Int
    var title: String
}
// end

// sample
extension TypedEndpoint where Value == [Book] {
    static func books(page: Int) -> Self { Self(.get("/books", query: ["page": page])) }
}

extension TypedEndpoint where Value == Void {
    static func add(_ book: Book) -> Self { Self(.post("/books").json(book), decoding: .nothing) }
}
// end

// sample
/// The client of the app. Previews and tests pass another transport.
func makeLibrary(over transport: any Transport = URLSessionTransport.shared) -> HTTPClient {
    var configuration = NetworkConfiguration()
    configuration.transport = transport
    configuration.deadline = .seconds(30)
    let address = URL(string: "https://library.example.com")!
    return HTTPClient(baseURL: address, interceptors: .recommended(), configuration: configuration)
}
// end

// sample
@MainActor
final class BookListModel {
    private(set) var books: [Book] = []
    private(set) var alert: String?
    private let library: HTTPClient

    init(library: HTTPClient = makeLibrary()) { self.library = library }
}
// end

// sample
extension BookListModel {
    func load() async {
        do {
            books = try await library.request(.books(page: 1))
        } catch {
            if error.kind != .cancelled { alert = error.localizedDescription }
        }
    }
}
// end

// sample
extension BookListModel {
    static var preview: BookListModel {
        let server = MockTransport()
        server.on(.get, "/books").answers(.fixture("Books", in: .bundle(.module)).repeating())
        server.on(.post, "/books").answers(.empty.repeating())
        return BookListModel(library: makeLibrary(over: server))
    }
}
// end

// sample
@MainActor struct BookListModelTests {
    @Test func `the list shows the books of the server`() async {
        let model = BookListModel.preview
        await model.load()
        #expect(model.books == [Book(id: 1, title: "Emma")])
    }

    @Test func `without a network the list shows a sentence`() async {
        let model = BookListModel(library: makeLibrary(over: MockTransport(.failure(.offline).repeating())))
        await model.load()
        #expect(model.alert == "There is no internet connection.")
    }
}
// end

// sample
enum LibraryAPI: TargetType {
    case books(page: Int), add(Book)

    var baseURL: URL { URL(string: "https://library.example.com")! }
    var path: String { "/books" }
    var method: HTTPMethod { if case .add = self { .post } else { .get } }
    var task: NetworkTask {
        switch self {
        case .books(let page): .requestParameters(parameters: ["page": page], encoding: .query)
        case .add(let book): .requestJSONEncodable(book)
        }
    }
}
// end

/// The parts that “Getting started” describes only in the text.
@Suite(.timeLimit(.minutes(5))) struct GettingStartedTests {
    private static var article: String {
        get throws {
            let file = URL(fileURLWithPath: #filePath)
                .appendingPathComponent("../../../../Sources/NetworkEngine/NetworkEngine.docc/GettingStarted.md")
            return try String(contentsOf: file.standardized, encoding: .utf8)
        }
    }

    @Test func `the fixture is the file in the article`() throws {
        #expect(try Self.article.contains("```json\n\(Bundle.books)\n```"))
    }

    @Test func `the manifest in the article names products of this package`() throws {
        let manifest = try #require(Self.article.components(separatedBy: "// swift-tools-version").dropFirst().first)
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Package.swift").standardized
        let own = try String(contentsOf: package, encoding: .utf8)
        let products = manifest.components(separatedBy: ".product(name: \"").dropFirst().map {
            $0.prefix { $0 != "\"" }
        }
        #expect(products.count == 3)
        for product in products { #expect(own.contains(".library(name: \"\(product)\"")) }
    }

    @Test func `a book is added`() async throws {
        let server = MockTransport(.empty)
        try await makeLibrary(over: server).request(.add(Book(id: 2, title: "Persuasion")))
        #expect(server.requests.map(\.method) == [.post])
    }

    @Test func `an enum makes the same calls`() async throws {
        let server = MockTransport(.json(Bundle.books), .empty)
        var configuration = NetworkConfiguration()
        configuration.transport = server
        let library = NetworkProvider<LibraryAPI>(configuration: configuration)
        let book = Book(id: 2, title: "Persuasion")
        // sample
        let books: [Book] = try await library.request(.books(page: 1))
        try await library.request(.add(book))
        // end
        #expect(books.map(\.title) == ["Emma"] && server.requests.map(\.method) == [.get, .post])
        #expect(server.requests.map { $0.url.query() } == ["page=1", nil])
    }
}

extension Bundle {
    fileprivate nonisolated static let books = #"[{"id": 1, "title": "Emma"}]"#

    /// A bundle with the article's fixture.
    fileprivate nonisolated static let module: Bundle = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).bundle")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data(books.utf8).write(to: folder.appendingPathComponent("Books.json"))
        return Bundle(url: folder) ?? .main
    }()
}
