import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting
import NetworkEngineWebSocket

/// The service's responses.
final class DemoRoutes: Sendable {
    private struct State {
        /// The number in the accepted access token.
        var session = 0
        var flakyRequests = 0
    }

    let report: Data
    private let people: [Person]
    private let state = Locked(State())

    init() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        people = try decoder.decode(PersonList.self, from: Fixtures.data("UserListResponse")).users
        let line = "2026-11-23T04:05:06Z  GET /orders/7  200  1.2 ms\n"
        report = Data(String(repeating: line, count: 320_000).utf8)
    }

    func expireTokens() { state.withLock { $0.session += 1 } }

    func response(to request: LoopbackRequest) -> LoopbackResponse {
        let parts = request.path.split(separator: "/")
        switch (parts.first, parts.dropFirst().first.flatMap { Int($0) }) {
        case ("login", nil): return login(request)
        case ("token", nil): return token(request)
        case ("me", nil): return authorized(request) ?? user(1)
        case ("orders", let id?): return authorized(request) ?? json(Order(id: id))
        case ("users", nil): return page(after: request)
        case ("users", let id?): return user(id)
        case ("flaky", nil): return flaky()
        case ("avatar", nil): return json(Receipt(bytes: request.bodyCount))
        case ("report", nil): return part(of: request)
        case ("builds", nil): return builds(after: request.headers["Last-Event-ID"])
        case ("game", nil): return game()
        case ("article", nil):
            return .text("Fresh for a minute.", headers: ["Cache-Control": "max-age=60", "ETag": "\"a1\""])
        case ("price", nil): return price(request)
        case ("graphql", nil): return team(request)
        default: return .status(404)
        }
    }

    private func json(_ value: some Encodable) -> LoopbackResponse {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return .json(value, encoder: encoder)
    }

    // MARK: Sessions

    private func login(_ request: LoopbackRequest) -> LoopbackResponse {
        let fields = try? JSONDecoder().decode([String: String].self, from: request.body)
        guard fields == ["user": "ada", "password": "correct horse"] else { return .status(403) }
        return newSession()
    }

    private func token(_ request: LoopbackRequest) -> LoopbackResponse {
        let fields = try? JSONDecoder().decode([String: String].self, from: request.body)
        guard fields?["refresh_token"]?.hasPrefix("refresh-") == true else { return .status(401) }
        return newSession()
    }

    private func newSession() -> LoopbackResponse {
        let number = state.withLock { state in
            state.session += 1
            return state.session
        }
        return json(Login(accessToken: "access-\(number)", refreshToken: "refresh-\(number)"))
    }

    /// A rejection, unless the request has the current access token.
    private func authorized(_ request: LoopbackRequest) -> LoopbackResponse? {
        let number = state.withLock { $0.session }
        return request.headers["Authorization"] == "Bearer access-\(number)" ? nil : .status(401)
    }

    // MARK: Users

    private func user(_ id: Int) -> LoopbackResponse {
        guard id > 0 else { return .status(404) }
        return json(people[(id - 1) % people.count])
    }

    private func page(after request: LoopbackRequest) -> LoopbackResponse {
        let items = URLComponents(string: request.target)?.queryItems
        let start = items?.first { $0.name == "after" }?.value.flatMap { Int($0) } ?? 0
        let users = people.filter { $0.id > start }.prefix(4)
        let isLast = users.last?.id == people.last?.id
        return json(PersonList(users: Array(users), next: isLast ? nil : users.last?.id))
    }

    // MARK: Faults

    /// A status, a response that is cut off, and a response.
    private func flaky() -> LoopbackResponse {
        let number = state.withLock { state in
            state.flakyRequests += 1
            return state.flakyRequests
        }
        switch number % 3 {
        case 1: return .status(503)
        case 2: return user(2).fault(.close, at: .responseBody(afterBytes: 9))
        default: return user(2)
        }
    }

    /// The report from the requested byte on. A request for the whole report is cut off in the middle.
    private func part(of request: LoopbackRequest) -> LoopbackResponse {
        let headers: HTTPHeaders = ["Accept-Ranges": "bytes", "ETag": "\"r1\""]
        let range = request.headers["Range"]?.drop { !$0.isNumber }.prefix { $0.isNumber }
        guard let start = range.flatMap({ Int($0) }), start < report.count else {
            return .data(report, type: "text/plain", headers: headers)
                .fault(.close, at: .responseBody(afterBytes: report.count / 2))
        }
        return .data(report.dropFirst(start), type: "text/plain", status: 206, headers: headers)
            .header("Content-Range", "bytes \(start)-\(report.count - 1)/\(report.count)")
    }

    // MARK: Events, documents and queries

    /// Three events after the client's last one, then the connection closes; 204 after the last event.
    private func builds(after lastEventID: String?) -> LoopbackResponse {
        let states = ["queued", "built", "tested", "signed", "uploaded", "released"]
        let start = lastEventID.flatMap { Int($0) } ?? 0
        guard start < states.count else { return .empty }
        let events = states.enumerated().dropFirst(start).prefix(3).map { index, state in
            "id: \(index + 1)\ndata: {\"state\": \"\(state)\"}\n\n"
        }
        return .data(Data(("retry: 20\n" + events.joined()).utf8), type: "text/event-stream")
            .chunked(size: 40).ending(.close)
    }

    /// A number to guess. A wrong guess is answered with a hint, and the right one closes the socket.
    private func game() -> LoopbackResponse {
        .webSocket { socket in
            for try await guess in socket.messages(as: Int.self) {
                if guess == 42 { return await socket.close(reason: "right") }
                try await socket.send(json: guess < 42 ? Hint.higher : .lower)
            }
        }
    }

    private func price(_ request: LoopbackRequest) -> LoopbackResponse {
        let headers: HTTPHeaders = ["Cache-Control": "no-cache", "ETag": "\"p1\""]
        if request.headers["If-None-Match"] == "\"p1\"" { return .status(304, headers: headers) }
        return .json(#"{"price": 42}"#, headers: headers)
    }

    /// A team with its members. The members of team 8 cannot be loaded.
    private func team(_ request: LoopbackRequest) -> LoopbackResponse {
        let operation = try? JSONDecoder().decode(Operation.self, from: request.body)
        guard let id = operation?.variables["id"] else { return .status(400) }
        guard id == 7 else {
            return .json(
                """
                {"data": {"team": {"name": "Runtime", "members": null}},
                 "errors": [{"message": "The members are not available.", "path": ["team", "members"]}]}
                """)
        }
        let members = people.prefix(3).map { Team.Member(name: $0.firstName) }
        return json(["data": TeamData(team: Team(name: "Compiler", members: members))])
    }
}

/// A person as in the JSON files.
private struct Person: Codable {
    var id: Int
    var firstName: String
    var lastName: String
}

private struct PersonList: Codable {
    var users: [Person]
    var next: Int?
}

private struct Operation: Decodable {
    var variables: [String: Int]
}
