import Foundation
import NetworkEngine
import NetworkEngineTesting
import Testing

// The samples of “Main-actor apps”. This module's default isolation is the main actor.

// sample
nonisolated struct Song: Codable, Equatable, Sendable {
    var id: Int
    var title: String
}
// end

// sample
enum MusicAPI: TargetType {
    case songs, song(Int)

    var baseURL: URL { URL(string: "https://music.example.com")! }
    var path: EndpointPath { if case .song(let id) = self { "/songs/\(id)" } else { "/songs" } }
}
// end

// sample
final class SongListModel {
    private(set) var songs: [Song] = []
    private(set) var alert: String?
    let music: NetworkProvider<MusicAPI>

    init(music: NetworkProvider<MusicAPI>) { self.music = music }

    func load() async {
        do {
            songs = try await music.request(.songs)
        } catch {
            if error.kind != .cancelled { alert = error.localizedDescription }
        }
    }
}
// end

// sample
final class Player: Decodable {
    var title = ""
}

extension SongListModel {
    func player(for id: Int) async throws(NetworkError) -> Player { try await music.request(.song(id)) }
}
// end

// sample
final class SearchModel {
    private(set) var songs: [Song] = []
    private(set) var fraction = 0.0
    private var request: (any NetworkRequest)?
    let music: NetworkProvider<MusicAPI>

    init(music: NetworkProvider<MusicAPI>) { self.music = music }

    func load() {
        request?.cancel()
        request = music.request(.songs, as: [Song].self) { [weak self] result in
            self?.songs = (try? result.get()) ?? []
        }
    }
}
// end

// sample
extension SearchModel {
    func download() async throws(NetworkError) -> URL {
        let download = music.startDownload(.songs)
        Task { for await progress in download.progress { fraction = progress.fraction ?? 0 } }
        return try await download.value
    }
}
// end

// sample
nonisolated enum MusicError: Error, Equatable { case offline, other }

nonisolated protocol MusicRepository: TargetType, NetworkRequestable where Failure == MusicError {
    static func song(id: Int) -> Self
}
// end

// sample
enum LiveMusic: MusicRepository, ProviderRequestable {
    case song(id: Int)

    static let provider = NetworkProvider<LiveMusic>(configuration: .app)
    static func failure(from error: NetworkError) -> MusicError { error.kind == .offline ? .offline : .other }

    var baseURL: URL { URL(string: "https://music.example.com")! }
    var path: EndpointPath {
        switch self {
        case .song(let id): "/songs/\(id)"
        }
    }
}
// end

// sample
final class SongModel {
    private(set) var song: Song?
    private let music: any MusicRepository.Type

    init(music: any MusicRepository.Type) { self.music = music }

    func load(id: Int) async throws(MusicError) {
        song = try await music.song(id: id).request(type: Song.self)
    }
}
// end

// sample
struct Trace: RequestInterceptor {
    func adapt(_ request: HTTPRequest, context: RequestContext) async throws -> HTTPRequest {
        var request = request
        request.headers["X-Screen"] = await Navigation.shared.screen
        return request
    }
}
// end

final class Navigation {
    static let shared = Navigation()
    var screen = "songs"
}

extension NetworkConfiguration {
    nonisolated static var app: NetworkConfiguration {
        var configuration = NetworkConfiguration()
        let mock = MockTransport()
        mock.on(.get, "/songs").answers(.json(#"[{"id": 7, "title": "Blue"}]"#).repeating())
        mock.on(.get, "/songs/7").answers(.json(#"{"id": 7, "title": "Blue"}"#).repeating())
        configuration.transport = mock
        return configuration
    }
}

@Suite(.timeLimit(.minutes(5))) struct MainActorAppsGuideTests {
    private let music = NetworkProvider<MusicAPI>(interceptors: [Trace()], configuration: .app)
    private let blue = Song(id: 7, title: "Blue")

    @Test func `a model awaits values, also those that cannot leave the main actor`() async throws {
        let model = SongListModel(music: music)
        await model.load()
        #expect(model.songs == [blue] && model.alert == nil)
        #expect(try await model.player(for: 7).title == "Blue")
    }

    @Test func `a callback and a progress are delivered on the main actor`() async throws {
        let model = SearchModel(music: music)
        model.load()
        while model.songs.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(model.songs == [blue])
        try FileManager.default.removeItem(at: await model.download())
    }

    @Test func `a model takes a repository as a type`() async throws {
        let model = SongModel(music: LiveMusic.self)
        try await model.load(id: 7)
        #expect(model.song == blue)
    }
}
