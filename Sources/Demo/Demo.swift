import Fixtures
import Foundation
import NetworkEngine
import NetworkEngineTesting
import TerminalProgress
import UserDirectory

/// Shows two screens of a small app with a server in this process, and then with fixtures.
@main @MainActor
struct Demo {
    static func main() async throws {
        let server = try LoopbackServer(handler: try responses())
        defer { server.stop() }
        print("A server runs at \(server.url)\n\nLiveUsers, over that server:")
        let provider = NetworkProvider<LiveUsers>(interceptors: [Staging(server: server.url), RetryPolicy()])
        await LiveUsers.$provider.withValue(provider) { await show(LiveUsers.self) }
        print("\nThe server received requests for \(server.requests.map(\.target).joined(separator: ", ")).")
        print("\nA download from the server:")
        try await Photo.download(from: server.url)
        print("\nMockUsers, over fixtures, and then with an error:")
        await show(MockUsers.self)
        await MockUsers.$failure.withValue(.offline) { await show(MockUsers.self) }
    }

    /// Prints the screens for a repository.
    private static func show(_ users: any UserRepository.Type) async {
        let list = UserListModel(users: users)
        let (states, change) = AsyncStream.makeStream(of: UserListModel.State.self)
        list.onChange = { change.yield($0) }
        list.load()
        for await state in states where state != .loading {
            print("  list      \(state.text)")
            break
        }
        let user = UserModel(users: users)
        for id in [7, 11] {
            await user.load(id)
            print("  user \(id)\(id < 10 ? " " : "")   \(user.state.text)")
        }
    }

    /// The responses of the server.
    private static func responses() throws -> @Sendable (LoopbackRequest) -> LoopbackResponse {
        let list = try Fixtures.data("UserListResponse")
        let user = try Fixtures.data("User")
        let missing = try Fixtures.data("ErrorNotFound")
        return { request in
            switch request.path {
            case "/users": .data(list, type: "application/json")
            case "/users/7": .data(user, type: "application/json")
            case "/photo":
                LoopbackResponse(body: .repeating(user, count: 2 << 20)).throttled(bytesPerSecond: 4_000_000)
            default: .data(missing, type: "application/json", status: 404)
            }
        }
    }
}

extension UserListModel.State {
    fileprivate var text: String {
        switch self {
        case .idle, .loading: "\(self)"
        case .loaded(let users): "\(users.count) users: " + users.map(\.firstName).joined(separator: ", ")
        case .failed(let error): "failed: \(error)"
        }
    }
}

extension UserModel.State {
    fileprivate var text: String {
        switch self {
        case .idle, .loading: "\(self)"
        case .loaded(let user): "\(user.firstName) \(user.lastName)"
        case .failed(let error): "failed: \(error)"
        }
    }
}

/// A download with a progress bar.
private struct Photo: TargetType {
    let baseURL: URL
    let path = "/photo"
    let method = HTTPMethod.get
    let task = NetworkTask.downloadDestination(.temporary)

    /// Downloads the file and removes it.
    static func download(from server: URL) async throws {
        let bar = ProgressBar("  photo    ")
        let file = try await NetworkProvider<Photo>().download(Photo(baseURL: server)) { bar.show($0) }
        bar.finish()
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        print("  file      \(size) bytes")
        try FileManager.default.removeItem(at: file)
    }
}

/// Redirects every request to a staging server.
private struct Staging: RequestInterceptor {
    let server: URL

    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        var request = request
        guard var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else { return request }
        (parts.scheme, parts.host, parts.port) = (server.scheme, server.host, server.port)
        request.url = parts.url ?? request.url
        return request
    }
}
