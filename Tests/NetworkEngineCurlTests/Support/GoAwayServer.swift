import Foundation
import TestSupport
import Testing

/// An HTTP/2 server over TLS in Python, which refuses a request on each of its first connections without processing it,
/// and answers the others with the number of processed requests.
final class GoAwayServer {
    /// How a request is refused.
    enum Refusal: String, CaseIterable {
        /// `GOAWAY`; the connection remains open.
        case goAway
        /// `GOAWAY`, and then the connection closes.
        case goAwayAndClose
        /// `RST_STREAM` with the code `REFUSED_STREAM`.
        case reset
    }

    let url: URL
    private let process: ChildProcess

    static let isPossible = Certificates.shared != nil && Program.path(of: "python3") != nil

    /// - Parameters:
    ///   - connections: The number of connections with a refusal.
    ///   - answers: The number of responses on each of them before the refusal.
    ///   - lost: The number of the processed request that gets no response because the connection closes.
    ///   - isReset: Whether the connection is reset.
    init(
        _ refusal: Refusal,
        connections: Int = 1,
        after answers: Int = 0,
        losing lost: Int = 0,
        byReset isReset: Bool = false,
        _ certificates: Certificates
    ) throws {
        let files = [certificates.certificate(.good).path, certificates.key(.good).path]
        process = try ChildProcess(
            Program.path(of: "python3") ?? "",
            ["-I", "-S", "-c", Self.program] + files + [
                refusal.rawValue, "\(connections)", "\(answers)", "\(lost)", isReset ? "reset" : "end",
            ],
            discardsErrors: true
        )
        url = try #require(URL(string: "https://localhost:\(process.readPort())/"))
    }

    private static let program = """
        import os, socket, ssl, struct, sys, threading
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        context.set_alpn_protocols(["h2"])
        refusal, refusals, answers = sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
        seen = 0

        def frame(kind, flags, stream, payload=b""):
            return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload

        # A socket that is closed with bytes in it resets the connection, and what was sent may be lost.
        def leave(wire):
            try:
                wire.unwrap()
            except OSError:
                pass
            wire.shutdown(socket.SHUT_WR)
            while wire.recv(65536):
                pass

        def serve(plain, number):
            global seen
            try:
                with context.wrap_socket(plain, server_side=True) as wire:
                    file = wire.makefile("rb")
                    file.read(24)
                    answered, processed = 0, 0
                    wire.sendall(frame(4, 0, 0))
                    while True:
                        head = file.read(9)
                        if len(head) < 9:
                            return
                        length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
                        stream = int.from_bytes(head[5:], "big")
                        file.read(length)
                        if kind == 4 and flags & 1 == 0:
                            wire.sendall(frame(4, 1, 0))
                        if kind in (0, 1) and flags & 1:
                            if number <= refusals and answered == answers:
                                if refusal == "reset":
                                    wire.sendall(frame(3, 0, stream, struct.pack(">I", 7)))
                                    answered += 1
                                    continue
                                wire.sendall(frame(7, 0, 0, struct.pack(">II", processed, 0)))
                                if refusal == "goAwayAndClose":
                                    leave(wire)
                                    return
                                continue
                            seen, answered, processed = seen + 1, answered + 1, stream
                            if seen == int(sys.argv[6]):
                                if sys.argv[7] == "reset":
                                    wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                                else:
                                    leave(wire)
                                return
                            body = frame(0, 1, stream, str(seen).encode())
                            wire.sendall(frame(1, 4, stream, bytes([0x88])) + body)
            except OSError:
                pass

        # Ends with its parent.
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        print(listener.getsockname()[1], flush=True)
        number = 0
        while True:
            plain = listener.accept()[0]
            number += 1
            threading.Thread(target=serve, args=(plain, number), daemon=True).start()
        """
}
