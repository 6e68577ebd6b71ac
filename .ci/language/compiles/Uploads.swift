import Foundation
import NetworkEngine
import NetworkEngineStreams
import NetworkEngineUploads

// Resumable uploads, and a call's other options.

nonisolated struct Film: Codable, Sendable { var length = 0 }

enum FilmAPI: TargetType {
    case upload(URL)

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: EndpointPath { "/films" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { [.accept("application/json"), .userAgent("App/1")] }
    var task: NetworkTask { if case .upload(let file) = self { .uploadFile(file) } else { .requestPlain } }
    var redirects: RedirectPolicy { .never }
    var validation: ResponseValidation { .success.acceptedContentType() }
}

func uploads(by provider: NetworkProvider<FilmAPI>, _ client: HTTPClient, _ file: URL) async throws {
    let state = UploadStateStore.file(at: file)
    let film: Film = try await provider.upload(.upload(file), resuming: state)
    let other = try await client.upload(.post("/films").file(file), resuming: state, as: Film.self) { progress in
        print(progress.fraction ?? 0)
    }
    try await client.upload(.post("/films").file(file), resuming: state)
    let end = try await client.upload(.post("/films").file(file), resuming: state)
    var options = ResumableUploadOptions()
    options.uploadProtocol = .tus
    try await client.upload(.post("/films").file(file), resuming: state, options: options)
    try await client.discardUpload(.post("/films"), resuming: state)
    print(film.length, other.length, end.address as Any)
}

func redirects() -> NetworkConfiguration {
    var configuration = NetworkConfiguration()
    configuration.redirects.decision = { response, next in response.statusCode == 303 ? nil : next }
    return configuration
}

@MainActor func pages(of client: HTTPClient) async {
    let pager = Pager(client.pages(of: [Film].self, from: .get("/films"), by: .link))
    await pager.loadMore()
    print(pager.items.count)
}
