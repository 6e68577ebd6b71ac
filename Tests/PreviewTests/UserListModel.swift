import Foundation
import NetworkEngine
import NetworkEngineGraphQL
import NetworkEngineMocks

struct User: Decodable, Equatable, Sendable {
    var id: Int
    var name: String
}

// sample: model
@MainActor
final class UserListModel {
    enum State: Equatable { case loading, loaded([User]), failed(String) }

    private(set) var state = State.loading
    private let client: any HTTPClientContract

    init(client: any HTTPClientContract) { self.client = client }

    func load() async {
        do {
            state = .loaded(try await client.request(.get("/users")))
        } catch {
            state = .failed(error.localizedDescription)
        }
    }
}
// end

// sample: previews
extension UserListModel {
    static var loaded: UserListModel { preview(.fixture("Users", in: .bundle(.module))) }
    static var slow: UserListModel { preview(.json(#"[{"id": 7, "name": "Ada"}]"#).delayed(by: .seconds(2))) }
    static var loading: UserListModel { preview(.hang) }
    static var empty: UserListModel { preview(.empty) }
    static var offline: UserListModel { preview(.failure(.offline)) }
    static var broken: UserListModel { preview(.status(500)) }

    private static func preview(_ answer: ClientAnswer) -> UserListModel {
        UserListModel(client: HTTPClientMock(otherwise: answer))
    }
}
// end

extension JSONDecoder {
    static var app: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}

// sample: loader
extension FixtureLoader {
    static let app = FixtureLoader(bundle: .module, decoder: .app)
}
// end

// sample: graphql
@MainActor
final class ProfileModel {
    struct Profile: Decodable, Sendable { var me: User }

    private(set) var name = ""
    private let client: any GraphQLClientContract

    init(client: any GraphQLClientContract) { self.client = client }

    func load() async throws {
        let profile: Profile = try await client.execute(GraphQLOperation(document: "{ me { id name } }"))
        name = profile.me.name
    }

    static var preview: ProfileModel {
        ProfileModel(client: GraphQLClientMock(otherwise: .data(fixture: "Me", in: .bundle(.module))))
    }
}
// end

// sample: offers
extension HTTPClient {
    /// The client of all previews: each path has its answer, and the app's own interceptors and decoding run.
    static var preview: HTTPClient {
        let mock = MockTransport()
        mock.on(.get, "/users").answers(.fixture("Users", in: .bundle(.module)).repeating())
        mock.on(.get, "/users/:id").answers(.json(#"{"id": 7, "name": "Ada"}"#).repeating())
        mock.on().answers(.empty.repeating())
        var configuration = NetworkConfiguration()
        configuration.transport = mock
        return HTTPClient(baseURL: URL(string: "https://preview.test")!, configuration: configuration)
    }
}
// end
