import Foundation
import NetworkEngine
import NetworkEngineGraphQL

// Paths as interpolated literals, everywhere a path is accepted, and as text in a variable.

enum Notes: TargetType {
    case all, note(String), file(String), shared(UUID?)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: EndpointPath {
        switch self {
        case .all: "/notes"
        case .note(let id): "/notes/\(id)"
        case .file(let name): "/files/\(path: name)"
        case .shared(let id): id.map { "/shared/\($0)" } ?? "/shared"
        }
    }
    var deadline: Duration? { .seconds(5) }
}

nonisolated protocol NotesTarget: TargetType {}

nonisolated extension NotesTarget {
    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: EndpointPath { "/notes" }
    var deadline: TimeInterval { 5 }
}

enum InheritedNotes: NotesTarget { case all }

nonisolated protocol Repository: TargetType {
    static func note(_ id: Int) -> Self
}

nonisolated func text(_ type: any Repository.Type, _ target: some TargetType) -> [String] {
    [type.note(7).path, target.path, AnyTarget(target).path]
}

nonisolated func endpoints(_ base: URL, _ id: Int, _ name: String, _ fields: [String: String]) -> [Endpoint] {
    let text = "/users/" + name
    return [
        .get("/users/\(id)"), .get("/users"), .get(id > 0 ? "/users/\(id)" : "/users"), .get(text),
        .get(text.dropLast()),
        .get("/users/\(name)", headers: HTTPHeaders(fields)), .post(text, headers: ["A": "1"]).body(Data()),
        .get(EndpointPath(text)),
        .post("/users/\(id)").form(["a": name]), .post(text).form([("a", "b")]), .get("/users/\(raw: name)"),
        Endpoint(path: "/users/\(id)", method: .put, headers: fields), Endpoint(path: text),
        .get("/a").deadline(.seconds(1)),
    ]
}

nonisolated enum Kind: String { case daily }
nonisolated struct NoteID: RawRepresentable, Sendable { var rawValue: UUID }
nonisolated enum Page: Int, CustomStringConvertible {
    case first
    var description: String { "the first" }
}

nonisolated func values(_ kind: Kind?, _ id: NoteID, _ text: some StringProtocol) -> [Endpoint] {
    let place: EndpointPath = "/\(kind ?? .daily)/\(id)/\(Page.first)/\(text)/\(UUID())/\(1.5)/\(true)/\(UInt8(1))"
    return [
        .get(place), .get("\(place)/\(text.first ?? "a")/\(kind?.rawValue, default: "x")/\(UUID?.none, default: "y")"),
    ]
}

nonisolated func others(_ base: URL, _ client: HTTPClient, _ name: String) -> [Any] {
    let text = "/users/" + name
    return [
        AnyTarget(baseURL: base, path: "/users/\(name)"), AnyTarget(baseURL: base, path: text),
        AnyTarget(baseURL: base),
        GraphQLClient(httpClient: client, path: "/graphql/\(name)"), GraphQLClient(httpClient: client, path: text),
        GraphQLClient(httpClient: client),
    ]
}
