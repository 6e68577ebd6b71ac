import Foundation
import NetworkEngine
import Testing

// As in a new app, this module's default isolation is the main actor. Types without `nonisolated` are isolated to it.

struct Person: Decodable, Equatable {
    var name: String
}

final class Profile: Decodable {
    var name: String
    init(name: String) { self.name = name }
}

enum PeopleAPI: TargetType {
    case person
    var baseURL: URL { URL(string: "http://localhost")! }
    var path: String { "/person" }
}

struct Canned: Transport {
    func send(_ request: HTTPRequest, context: TransportContext) async throws -> HTTPResponse {
        HTTPResponse(statusCode: 200, body: .data(Data(#"{"name":"Ada"}"#.utf8)), request: request)
    }
}

final class PersonViewModel {
    var person: Person?
    let provider: NetworkProvider<PeopleAPI>
    init() {
        var configuration = NetworkConfiguration()
        configuration.transport = Canned()
        provider = NetworkProvider(configuration: configuration)
    }
    func load() async throws(NetworkError) {
        person = try await provider.request(.person)
    }
    func loadProfile() async throws -> Profile {
        try await provider.request(.person)
    }
}

@Suite(.timeLimit(.minutes(5))) struct MainActorModelTests {
    @Test func `a main-actor model decodes`() async throws {
        let model = PersonViewModel()
        try await model.load()
        #expect(model.person == Person(name: "Ada"))
        #expect(try await model.loadProfile().name == "Ada")
    }
}
