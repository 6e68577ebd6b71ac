import Dispatch
import Foundation
import NetworkEngineStreams
import TestSupport

@testable import NetworkEngine
@testable import NetworkEngineTesting

/// Every way to make a call, each with the path `/things` and the same configuration.
struct CallStyles: Sendable {
    typealias Call = @Sendable () async throws -> Void

    let mock = MockTransport(
        MockAnswer.handler { request in
            request.headers["Accept"] == "text/event-stream" ? .status(204) : .json("{}")
        }.repeating()
    )
    private let provider: NetworkProvider<TestTarget>
    private let client: HTTPClient
    private let target: TestTarget

    /// - Parameter path: the path for each target and endpoint.
    init(
        path: String = "/things",
        interceptors: [any RequestInterceptor] = [],
        _ change: (inout NetworkConfiguration) -> Void
    ) {
        provider = NetworkProvider(mock, interceptors, change)
        client = HTTPClient(mock, interceptors, change)
        target = TestTarget(path: path)
    }

    /// The calls that use the transport.
    var sending: [(name: String, call: Call)] { ofProvider + ofClient }

    /// All calls, and the two methods that only create a request.
    var all: [(name: String, call: Call)] {
        let (provider, client, target) = (provider, client, target)
        let making: [(name: String, call: Call)] = [
            ("urlRequest", { _ = try provider.urlRequest(for: target) }),
            ("client.urlRequest", { _ = try client.urlRequest(for: .get(target.path)) }),
        ]
        return sending + making
    }

    private var ofProvider: [(name: String, call: Call)] {
        let (provider, target, queue) = (provider, target, DispatchQueue.global())
        var upload = target
        (upload.method, upload.task) = (.post, .requestData(Data("b".utf8)))
        return [
            ("request", { _ = try await provider.request(target) as EmptyBody }),
            ("send", { _ = try await provider.send(target) }),
            ("stream", { _ = try await provider.stream(target) }),
            ("events", { for try await _ in provider.events(target) {} }),
            ("download", { try FileManager.default.removeItem(at: try await provider.download(target)) }),
            ("upload", { [upload] in try await provider.upload(upload) }),
            ("start", { _ = try await provider.start(target, as: EmptyBody.self).value }),
            (
                "startDownload",
                { try FileManager.default.removeItem(at: try await provider.startDownload(target).value) }
            ),
            (
                "callback",
                {
                    let result: Result<Data, NetworkError> = await withCheckedContinuation { waiter in
                        provider.data(target, queue: queue) { waiter.resume(returning: $0) }
                    }
                    _ = try result.get()
                }
            ),
        ]
    }

    private var ofClient: [(name: String, call: Call)] {
        let (client, endpoint) = (client, Endpoint.get(target.path))
        return [
            ("client.send", { try await client.send(endpoint) }),
            ("client.stream", { _ = try await client.stream(endpoint) }),
            ("client.events", { for try await _ in client.events(endpoint) {} }),
            ("client.start", { _ = try await client.start(TypedEndpoint<Data>(endpoint)).value }),
            ("client.body", { _ = try await client.request(.post(endpoint.path).body(.data(Data("b".utf8)))) }),
        ]
    }
}
