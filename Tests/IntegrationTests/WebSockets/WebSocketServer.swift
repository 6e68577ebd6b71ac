import Foundation
import TestSupport

/// An independent WebSocket server: Python's websockets, if installed.
final class WebSocketServer: Sendable {
    let url: URL
    private let process: ChildProcess

    static let isInstalled = Program.python(has: "websockets")

    /// - Parameters:
    ///   - certificate: the files with a certificate and its key, for a server with TLS.
    ///   - compression: Python's arguments for the server's compression; its default if omitted.
    init(certificate: (file: URL, key: URL)? = nil, compression: String? = nil) async throws {
        let files = certificate.map { [$0.file.path, $0.key.path] } ?? ["", ""]
        let process = try ChildProcess(
            Program.python, ["-u", "-c", Self.script] + files + [compression ?? ""], discardsErrors: true)
        self.process = process
        let scheme = certificate == nil ? "ws" : "wss"
        url = try await process.address(scheme: scheme)
    }

    /// The server on a port that the system chooses. It exits when its standard input ends.
    private static let script = #"""
        import asyncio, http, json, ssl, sys
        from websockets.asyncio.server import serve
        from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

        async def handle(socket):
            path = socket.request.path
            if path == "/echo":
                async for message in socket: await socket.send(message)
            elif path == "/fragments":
                async def parts():
                    for part in ["Gr", "ü", "ße"]:
                        yield part
                        await socket.ping()
                await socket.send(parts())
                await socket.send(iter([b"\x00", b"", b"\x01\x02"]))
            elif path == "/pings":
                for _ in range(3): await (await socket.ping())
                await socket.send("3 pongs")
            elif path.startswith("/close/"):
                await socket.send("last words")
                await socket.close(int(path.split("/")[2]), "the reason")
            elif path == "/abort":
                await socket.send("last words")
                socket.transport.abort()
            elif path == "/headers":
                await socket.send(json.dumps(dict(socket.request.headers.raw_items())))
            elif path == "/flood":
                for number in range(20_000): await socket.send(f"message {number} " + "x" * 200)

        def check(connection, request):
            if request.path == "/secret" and request.headers.get("Authorization") != "Bearer new":
                return connection.respond(http.HTTPStatus.UNAUTHORIZED, "not yet\n")
            if request.path == "/moved":
                response = connection.respond(http.HTTPStatus.FOUND, "")
                response.headers["Location"] = "/echo"
                return response

        def choose(connection, offered):
            return next((name for name in ["chat.v2", "chat.v1"] if name in offered), None)

        async def main():
            tls = None
            certificate, key, compression = sys.argv[1:]
            own = {}
            if compression:
                factory = eval(f"ServerPerMessageDeflateFactory({compression})") if compression != "none" else None
                own = {"compression": None, "extensions": [factory] if factory else []}
            if certificate:
                tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
                tls.load_cert_chain(certificate, key)
            async with serve(handle, "127.0.0.1", 0, ssl=tls, process_request=check, select_subprotocol=choose,
                             max_size=None, ping_interval=None, **own) as server:
                print(server.sockets[0].getsockname()[1], flush=True)
                await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
                server.close()
        asyncio.run(main())
        """#
}
