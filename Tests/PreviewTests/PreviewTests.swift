import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineMocks
import Testing

/// Main-actor models in the states that previews show.
@MainActor @Suite(.timeLimit(.minutes(5))) struct PreviewTests {
    private static let users = [User(id: 7, name: "Ada"), User(id: 8, name: "Grace")]

    @Test func `a preview shows the fixture of the app's bundle, as often as it loads`() async {
        let model = UserListModel.loaded
        for _ in 1...2 {
            await model.load()
            #expect(model.state == .loaded(Self.users))
        }
    }

    @Test func `a preview shows an empty list`() async {
        let model = UserListModel.empty
        await model.load()
        #expect(model.state == .loaded([]))
    }

    @Test func `previews show failures`() async {
        for model in [UserListModel.offline, .broken] {
            await model.load()
            #expect(model.failure?.isEmpty == false)
        }
    }

    @Test(arguments: [true, false]) func `a preview that loads stays so until it disappears`(isEndless: Bool) async {
        let model = isEndless ? UserListModel.loading : .slow
        let task = Task { await model.load() }
        #expect(model.state == .loading)
        task.cancel()
        await task.value
        #expect(model.failure != nil)
    }

    @Test func `a preview of a GraphQL screen needs the JSON of the data only`() async throws {
        let model = ProfileModel.preview
        try await model.load()
        #expect(model.name == "Ada")
    }

    @Test func `one client serves all previews`() async throws {
        let client = HTTPClient.preview
        let model = UserListModel(client: client)
        await model.load()
        #expect(model.state == .loaded(Self.users))
        let user: User = try await client.request(.get("/users/9"))
        let other: User? = try await client.request(.get("/settings"))
        #expect(user.name == "Ada" && other == nil)
    }

    @Test func `a view model takes a repository that answers from a fixture`() async throws {
        let users = try await RepositoryModel(users: PreviewUsers.self).users()
        #expect(users == Self.users)
    }

    @Test func `the article about previews shows the samples that compile here`() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let article = here.appendingPathComponent(
            "../../Sources/NetworkEngineMocks/NetworkEngineMocks.docc/Previews.md")
        let text = try String(contentsOf: article.standardized, encoding: .utf8)
        let source = try String(contentsOf: here.appendingPathComponent("UserListModel.swift"), encoding: .utf8)
        let shown = text.matches(of: #/```swift\n(?<code>(?s:.*?))\n```/#).map { String($0.code) }
        let compiled = source.matches(of: #/// sample: \w+\n(?<code>(?s:.*?))\n// end/#).map { String($0.code) }
        #expect(shown == compiled && shown.count == 5)
    }
}

extension UserListModel {
    fileprivate var failure: String? {
        if case .failed(let text) = state { text } else { nil }
    }
}

private protocol UserRepository: TargetType, NetworkRequestable where Failure == NetworkError {
    static func list() -> Self
}

private struct PreviewUsers: UserRepository, MockRequestable {
    var mock: MockResponder<NetworkError> { MockResponder(fixture: "Users", in: .app) }
    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }

    static func list() -> PreviewUsers { PreviewUsers() }
}

@MainActor private struct RepositoryModel {
    let users: any UserRepository.Type

    func users() async throws -> [User] { try await users.list().request(type: [User].self) }
}
