import Foundation
import NetworkEngine
import NetworkEngineMocks

/// The WebSocket of a connection that has left HTTP: its bytes, and the task that uses it.
struct LoopbackUpgrade {
    let channel: LoopbackChannel
    let task: Task<Void, Never>

    /// Starts the work of a server with a WebSocket. It is canceled when the server stops.
    ///
    /// - Parameters:
    ///   - response: the response with the status 101.
    ///   - received: bytes that have arrived after the request.
    init(
        _ service: WebSocketService,
        after response: LoopbackResponse,
        to request: LoopbackRequest,
        received: [UInt8],
        services: LoopbackServices
    ) {
        let (mailbox, stopped, number) = (services.mailbox, services.stopped, request.connection)
        let response = HTTPResponse(
            statusCode: response.status, headers: response.headers, request: request.received)
        let channel = LoopbackChannel { mailbox.post(.channelChanged(connection: number)) }
        self.channel = channel
        let options = services.configuration.webSockets
        task = Task.detached {
            await withTaskGroup { group in
                group.addTask {
                    await service.run(over: channel, after: response, received: received, options: options)
                }
                group.addTask { _ = try? await stopped.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }
}

extension LoopbackRequest {
    /// The request as a client has made it.
    var received: HTTPRequest {
        let address = target.contains("://") ? target : "http://\(headers["Host"] ?? "localhost")\(target)"
        // A target can be any text.
        return HTTPRequest(method: method, url: URL(string: address) ?? URL(fileURLWithPath: "/"), headers: headers)
    }
}
