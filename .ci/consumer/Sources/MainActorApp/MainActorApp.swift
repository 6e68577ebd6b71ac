import Foundation
import NetworkEngine

// Everything in this module is isolated to the main actor by default.

struct Person: Decodable {
    var name: String
}

final class Profile: Decodable {
    var name: String
}

struct Canned: Transport {
    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        HTTPResponse(statusCode: 200, body: .data(Data(#"{"name": "Grace"}"#.utf8)), request: request)
    }
}

enum PeopleAPI: TargetType {
    case person

    var baseURL: URL { URL(string: "https://api.example.com") ?? URL(fileURLWithPath: "/") }
    var path: String { "/person" }
    var method: HTTPMethod { .get }
    var task: NetworkTask { .requestPlain }
}

final class ViewModel {
    var names: [String] = []
    private let provider: NetworkProvider<PeopleAPI>

    init() {
        var configuration = NetworkConfiguration()
        configuration.transport = Canned()
        provider = NetworkProvider(configuration: configuration)
    }

    func load() async throws(NetworkError) {
        let person: Person = try await provider.request(.person)
        let profile: Profile = try await provider.request(.person)
        names = [person.name, profile.name]
    }
}

@main
struct MainActorApp {
    static func main() async throws {
        let model = ViewModel()
        try await model.load()
        guard model.names == ["Grace", "Grace"] else { throw CancellationError() }
        print("MainActorApp: models of the main actor were decoded")
    }
}
