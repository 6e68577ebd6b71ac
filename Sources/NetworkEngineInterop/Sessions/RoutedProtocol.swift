import Foundation
import NetworkEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Loads the requests of sessions through a client. The name distinguishes the routes.
///
/// Foundation calls `startLoading` and `stopLoading` on the thread or queue where its own methods must be called as
/// well. The state is used only there.
final class RoutedProtocol<Name: RouteName>: URLProtocol {
    private var load: RoutedLoad?

    override class func canInit(with request: URLRequest) -> Bool {
        ["http", "https"].contains(request.url?.scheme?.lowercased())
    }

    override class func canInit(with task: URLSessionTask) -> Bool {
        !(task is URLSessionWebSocketTask) && task.currentRequest.map { canInit(with: $0) } == true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        if load == nil {
            let load = RoutedLoad(wake: wake)
            self.load = load
            begin(load)
        }
        deliver()
    }

    override func stopLoading() {
        if !isPause { load?.stop() }
    }

    /// Passes on the events that have arrived, where Foundation called `startLoading`.
    func deliver() {
        guard isRunning, let event = load?.take() else { return }
        switch event {
        case .head(let response): receive(response)
        case .piece(let data): client?.urlProtocol(self, didLoad: data)
        case .whole(let response, let data):
            receive(response)
            client?.urlProtocol(self, didLoad: data)
            client?.urlProtocolDidFinishLoading(self)
        case .end(nil): client?.urlProtocolDidFinishLoading(self)
        case .end(let error?): client?.urlProtocol(self, didFailWithError: error)
        }
    }

    private func receive(_ response: URLResponse) {
        client?.urlProtocol(self, didReceive: Self.passable(response), cacheStoragePolicy: .notAllowed)
    }

    private func begin(_ load: RoutedLoad) {
        let url = request.url
        func fail(_ error: NetworkError) { load.end(URLError(error, at: url)) }
        guard let route = Routes.route(of: Self.self) else {
            return fail(
                .unsupported("the session has no client: its configuration's urlCredentialStorage was replaced"))
        }
        if let reason = unsupportedTask { return fail(.unsupported(reason)) }
        var request = request
        route.defaults.add(to: &request)
        var body: RequestBody?
        if let content = uploadedContent {
            // A stream body is not Sendable, and is read by the request.
            switch content {
            case .body(let other): body = other
            case .stream(let stream): request.httpBodyStream = stream
            }
        }
        load.begin(request, body, through: route, inPieces: takesPieces)
    }
}

extension RouteName {
    /// The class that loads the requests of the route with this name.
    static var loader: URLProtocol.Type { RoutedProtocol<Self>.self }
}

/// The content of an upload task, if it is not part of the request.
enum UploadedContent {
    case body(RequestBody)
    case stream(InputStream)
}
