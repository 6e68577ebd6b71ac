import Foundation
import Testing

/// A server of HTTP/2 over TLS, written in Python, that leaves its first connections with `GOAWAY` before it has processed
/// anything, and answers on all others with the number of requests that it has seen.
final class GoAwayServer {
    let url: URL
    private let process = Process()

    static let isPossible =
        Certificates.shared != nil
        && ["/usr/bin/python3", "/usr/local/bin/python3"].contains(where: FileManager.default.isExecutableFile)

    /// - Parameters:
    ///   - refusals: how many connections are left.
    ///   - closes: whether the server closes them, too.
    init(refusals: Int, closes: Bool, _ certificates: Certificates) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", Self.program, certificates.certificate(.good).path, certificates.key(.good).path,
            "\(refusals)", "\(closes ? 1 : 0)",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw NotListening() }
            text += String(decoding: data, as: UTF8.self)
        }
        url = try #require(URL(string: "https://localhost:\(text.trimmingCharacters(in: .whitespacesAndNewlines))/"))
    }

    /// Does not wait for its end, for the reason that `TLSServer` has.
    deinit { process.terminate() }

    private struct NotListening: Error {}

    private static let program = """
        import socket, ssl, struct, sys, threading
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        context.set_alpn_protocols(["h2"])
        refusals, closes = int(sys.argv[3]), sys.argv[4] == "1"
        seen = 0

        def frame(kind, flags, stream, payload=b""):
            return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload

        def serve(plain, number):
            global seen
            try:
                with context.wrap_socket(plain, server_side=True) as wire:
                    file = wire.makefile("rb")
                    file.read(24)
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
                            if number <= refusals:
                                wire.sendall(frame(7, 0, 0, struct.pack(">II", 0, 0)))
                                if closes:
                                    wire.unwrap()
                                    return
                                continue
                            seen += 1
                            body = frame(0, 1, stream, str(seen).encode())
                            wire.sendall(frame(1, 4, stream, bytes([0x88])) + body)
            except OSError:
                pass

        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        print(listener.getsockname()[1], flush=True)
        number = 0
        while True:
            plain = listener.accept()[0]
            number += 1
            threading.Thread(target=serve, args=(plain, number), daemon=True).start()
        """
}
