import Foundation
import NetworkEngine
import NetworkEngineCache
import NetworkEngineCookies
import NetworkEngineObservation
import NetworkEngineStreams

// An app that observes its calls, stores cookies and caches responses.

nonisolated struct Item: Codable, Sendable { var id = 0 }

nonisolated struct StatusPrinter: NetworkObserver {
    func handle(_ event: NetworkEvent) {
        if case .callEnded = event.kind { print(event.callID, event.attempt, event.instant) }
    }
}

func configured(for url: URL, in folder: URL) throws -> NetworkConfiguration {
    let log: @Sendable (String) -> Void = { print($0) }
    let har = HARRecorder(limit: 100)
    let timeline = TimelineReport(limit: 1_000)
    let metrics = MetricsRecorder()
    let spans = SpanRecorder { spans in
        for span in spans { print(span.name, span.traceID, span.spanID, span.start, span.end, span.attributes) }
    }
    var configuration = NetworkConfiguration()
    configuration.baseURL = { $0.baseURL }
    configuration.headers = ["X-App": "1"]
    configuration.timeout = .seconds(10)
    configuration.observers = [
        RequestLogger(), RequestLogger(level: .bodies, sink: log), har, timeline, metrics, spans, StatusPrinter(),
    ]
    configuration.cookies = try CookieJar(file: folder.appendingPathComponent("cookies"))
    configuration.cache = ResponseCache(store: try DiskCacheStore(folder: folder, limit: 1 << 20))
    configuration.cache = ResponseCache(store: MemoryCacheStore(limit: 1 << 20))
    configuration.cache = ResponseCache()
    try har.write(to: folder.appendingPathComponent("session.har"))
    try timeline.write(to: folder.appendingPathComponent("timeline.html"))
    print(metrics.prometheusText())
    return configuration
}

func jar(for url: URL) -> [Cookie] {
    let jar = CookieJar()
    jar.set(fromHeader: "a=b; Path=/", for: url)
    for cookie in jar.cookies(for: url) { jar.set(cookie, for: url) }
    jar.removeAll()
    return jar.cookies(for: url)
}

nonisolated enum API: TargetType {
    case item(Int), news

    var baseURL: URL { URL(fileURLWithPath: "/") }
    var path: String { "/items" }
    var cachePolicy: CachePolicy { .cacheFirst }
    var template: String? { "/items/{id}" }
}

func calls(_ client: HTTPClient, _ cache: ResponseCache, to place: URL) async throws {
    let spans = SpanRecorder { _ in }
    let response = try await TraceContext.$current.withValue(TraceParent("00-x")) { try await client.send(.get("/")) }
    switch response.source {
    case .network, .cache, .revalidated:
        print(response.request.curlCommand(), response.request.curlCommand(redacting: false))
    }
    var endpoint = Endpoint.get("/")
    endpoint.cachePolicy = .reload
    try await client.send(endpoint.json(Item()))
    let file = try await client.download(endpoint, to: .file(at: place))
    let sent: Item = try await client.upload(
        endpoint.multipart([MultipartFormData(provider: .data(Data()), name: "a")]), as: Item.self)
    let next: @Sendable (NetworkResponse<[Item]>) -> Endpoint? = { _ in nil }
    var pages = client.pages(of: [Item].self, from: .post("/").form([("a", "b")]), next: next)
    pages.limit = 3
    for try await page in pages { print(page.count, file, sent) }
    await cache.removeAll()
    await spans.flush()
    for try await item in NetworkProvider<API>(interceptor: TraceContext()).events(.news, as: Item.self) { print(item) }
}
