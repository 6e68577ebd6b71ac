import Foundation
import NetworkEngine
import NetworkEngineMocks

// An app with previews that don't need a server: it depends on the mocks, not on the testing tools.

nonisolated struct Person: Decodable {
    var name: String
}

final class PeopleModel {
    var names: [String] = []
    private let client: any HTTPClientContract

    init(client: any HTTPClientContract) { self.client = client }

    func load() async throws(NetworkError) {
        let people: [Person] = try await client.request(.get("/people"))
        names = people.map(\.name)
    }

    static var preview: PeopleModel {
        PeopleModel(client: HTTPClientMock(.fixture("People", in: .bundle(.module)), otherwise: .empty))
    }
}

@main
struct PreviewApp {
    static func main() async throws {
        let model = PeopleModel.preview
        try await model.load()
        guard model.names == ["Ada", "Grace"] else { throw CancellationError() }
        try await model.load()
        guard model.names.isEmpty else { throw CancellationError() }
        print("PreviewApp: a model of the main actor was fed from the app's own fixture")
    }
}
