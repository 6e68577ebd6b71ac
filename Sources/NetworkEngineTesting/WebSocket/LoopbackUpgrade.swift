import Foundation
import NetworkEngine
import NetworkEngineMocks

/// A connection served by a closure: its bytes, and the closure's task.
struct LoopbackUpgrade {
    let channel: LoopbackChannel
    let task: Task<Void, Never>

    /// Starts a server's work on a connection. The work is canceled when the server stops.
    init(
        of request: LoopbackRequest,
        _ services: LoopbackServices,
        _ work: @escaping @Sendable (LoopbackChannel) async -> Void
    ) {
        let (mailbox, stopped, number) = (services.mailbox, services.stopped, request.connection)
        let channel = LoopbackChannel { mailbox.post(.channelChanged(connection: number)) }
        self.channel = channel
        task = Task.detached {
            await withTaskGroup { group in
                group.addTask { await work(channel) }
                group.addTask { _ = try? await stopped.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Starts a server's work with a WebSocket.
    ///
    /// - Parameters:
    ///   - response: the response with status 101.
    ///   - received: bytes that arrived after the request.
    init(
        _ service: WebSocketService,
        after response: LoopbackResponse,
        to request: LoopbackRequest,
        received: [UInt8],
        _ services: LoopbackServices
    ) {
        let options = services.configuration.webSockets
        let response = HTTPResponse(
            statusCode: response.status, headers: response.headers, request: request.received)
        self.init(of: request, services) { channel in
            await service.run(over: channel, after: response, received: received, options: options)
        }
    }
}

extension LoopbackRequest {
    /// The request as the client made it.
    var received: HTTPRequest {
        let address = target.contains("://") ? target : "http://\(headers["Host"] ?? "localhost")\(target)"
        // A target can be any text.
        return HTTPRequest(method: method, url: URL(string: address) ?? URL(fileURLWithPath: "/"), headers: headers)
    }
}
