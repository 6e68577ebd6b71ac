import Dispatch
import Foundation
import NetworkEngine
import NetworkEngineCurl
import NetworkEngineWebSocket

/// Measures 1 KiB messages echoed by a server, compared with a Python websockets client on the same server.
///
/// The environment of `.ci/run`, or `NETWORKENGINE_PYTHON`, specifies a Python with websockets installed.
enum SocketThroughput {
    private static let python =
        ProcessInfo.processInfo.environment["NETWORKENGINE_PYTHON"] ?? ".build/python/bin/python3"

    /// Ways to send messages and to receive their echoes.
    private enum Way: String, CaseIterable {
        case alone = "one at a time"
        case inFlight = "32 in flight"
        case free = "sender and receiver"
        case flood = "received only"

        var count: Int { self == .alone ? 5_000 : 50_000 }
    }

    static func run() async throws {
        guard FileManager.default.isExecutableFile(atPath: python) else {
            return print("The rates of messages need Python's websockets: .ci/run installs it.")
        }
        let server = try Peer(["serve"])
        guard let port = server.numbers(1).first.map({ Int($0) }) else { return }
        for isCompressed in [false, true] {
            var table = Table(
                "Messages of 1 KiB, echoed by a server in Python\(isCompressed ? ", compressed" : "") "
                    + "(goal: as many as a client in Python)",
                columns: ["way", "ours/s", "Python/s", "of Python"]
            )
            for way in Way.allCases {
                Progress.show(way.rawValue)
                var (ours, others) = (0.0, 0.0)
                for _ in 0..<3 {
                    ours = max(ours, try await rate(way, port, isCompressed))
                    let words = ["client", "\(port)", way.rawValue, "\(way.count)", isCompressed ? "deflate" : ""]
                    others = max(others, try Peer(words).numbers(1).first ?? 0)
                }
                table.add(
                    way.rawValue, ours.rounded(to: 0), others.rounded(to: 0), (ours / max(1, others)).rounded(to: 2))
            }
            table.print()
        }
    }

    private static func rate(_ way: Way, _ port: Int, _ isCompressed: Bool) async throws -> Double {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { return 0 }
        let transport = CurlTransport()
        defer { transport.shutdown() }
        var configuration = NetworkConfiguration()
        configuration.transport = transport
        if !isCompressed { configuration.webSockets.compression = nil }
        let client = HTTPClient(baseURL: url, configuration: configuration)
        let path: EndpointPath = way == .flood ? "/flood" : "/echo"
        let socket = try await client.webSocket(.get(path))
        let message = WebSocket.Message.text(text)
        let start = ContinuousClock.now
        switch way {
        case .alone: try await echo(socket, message, count: way.count, inFlight: 1)
        case .inFlight: try await echo(socket, message, count: way.count, inFlight: 32)
        case .free:
            async let received: Void = receive(socket, way.count)
            for _ in 0..<way.count { try await socket.send(message) }
            try await received
        case .flood:
            try await socket.send(.text("\(way.count)"))
            try await receive(socket, way.count)
        }
        let rate = Double(way.count) / (ContinuousClock.now - start).seconds
        await socket.close()
        return rate
    }

    private static func echo(
        _ socket: WebSocket,
        _ message: WebSocket.Message,
        count: Int,
        inFlight: Int
    ) async throws {
        var messages = socket.messages.makeAsyncIterator()
        for _ in 0..<inFlight { try await socket.send(message) }
        for number in 0..<count {
            _ = try await messages.next()
            if number + inFlight < count { try await socket.send(message) }
        }
    }

    private static func receive(_ socket: WebSocket, _ count: Int) async throws {
        var messages = socket.messages.makeAsyncIterator()
        for _ in 0..<count { _ = try await messages.next() }
    }

    /// 1 KiB of JSON.
    private static let text: String = {
        let users = (0..<40).map { #"{"id":\#($0 * 7919 % 1000),"n":"u\#($0)"}"# }
        return String(users.joined(separator: ",").prefix(1 << 10))
    }()

    /// A Python websockets process. It ends with its standard input.
    private final class Peer {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        init(_ words: [String]) throws {
            process.executableURL = URL(fileURLWithPath: python)
            process.arguments = ["-u", "-c", Self.script] + words + (words == ["serve"] ? [] : [text])
            process.standardInput = input
            process.standardOutput = output
            try process.run()
        }

        deinit {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        /// The numbers of the first line that it prints.
        func numbers(_ count: Int) -> [Double] {
            var line = Data()
            while !line.contains(0x0A) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                line += more
            }
            return String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        }

        private static let script = #"""
            import asyncio, sys, time
            from websockets.asyncio.client import connect
            from websockets.asyncio.server import serve

            async def handle(socket):
                if socket.request.path == "/flood":
                    count = int(await socket.recv())
                    text = "x" * 1024
                    for _ in range(count): await socket.send(text)
                else:
                    async for message in socket: await socket.send(message)

            async def end():
                await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

            async def server():
                async with serve(handle, "127.0.0.1", 0, max_size=None, ping_interval=None) as server:
                    print(server.sockets[0].getsockname()[1], flush=True)
                    await end()

            async def client(port, way, count, compression, text):
                path = "/flood" if way == "received only" else "/echo"
                address = f"ws://127.0.0.1:{port}{path}"
                async with connect(address, compression=compression or None, ping_interval=None) as socket:
                    start = time.perf_counter()
                    async def receive():
                        for _ in range(count): await socket.recv()
                    if way == "received only":
                        await socket.send(str(count))
                        await receive()
                    elif way == "sender and receiver":
                        task = asyncio.create_task(receive())
                        for _ in range(count): await socket.send(text)
                        await task
                    else:
                        ahead = 1 if way == "one at a time" else 32
                        for _ in range(ahead): await socket.send(text)
                        for number in range(count):
                            await socket.recv()
                            if number + ahead < count: await socket.send(text)
                    print(count / (time.perf_counter() - start), flush=True)

            if sys.argv[1] == "serve":
                asyncio.run(server())
            else:
                port, way, count, compression, text = sys.argv[2:]
                asyncio.run(client(port, way, int(count), compression, text))
            """#
    }
}
