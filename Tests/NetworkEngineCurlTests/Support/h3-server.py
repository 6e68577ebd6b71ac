#!/usr/bin/env python3
"""Serves HTTP/3 on a loopback port, and HTTP/1.1 over TLS on the same port number.

    h3-server.py CERTIFICATE KEY [tcp | quic]...

By default, both are served. Prints the port. A response repeats the request's `X-Mark` and uses it as the body.
Special paths:

    /echo          echoes the request's bytes as they arrive, with a trailer
    /bytes/N       returns N bytes
    /hold          is answered when a line arrives on standard input
    /reset         is reset before a head
    /half          starts with a head and seven bytes, and is then reset
    /refused       is reset with H3_REQUEST_REJECTED, once for each mark
    /lost          closes the connection
"""

import asyncio
import os
import socket
import ssl
import sys
import threading

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration

H3_INTERNAL_ERROR = 0x102
H3_REQUEST_REJECTED = 0x10B
released = asyncio.Event()


async def main():
    certificate, key, protocols = sys.argv[1], sys.argv[2], sys.argv[3:] or ["tcp", "quic"]
    port = reserve_port()
    if "quic" in protocols:
        configuration = QuicConfiguration(alpn_protocols=H3_ALPN, is_client=False)
        configuration.load_cert_chain(certificate, key)
        await serve("127.0.0.1", port, configuration=configuration, create_protocol=Peer)
    if "tcp" in protocols:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        await asyncio.start_server(serve_http1, "127.0.0.1", port, ssl=context)
    print(port, flush=True)
    loop = asyncio.get_running_loop()
    threading.Thread(target=wait_for_release, args=[loop], daemon=True).start()
    await asyncio.Event().wait()


def reserve_port():
    """Returns a port number that is free for both protocols."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
            try:
                udp.bind(("127.0.0.1", tcp.getsockname()[1]))
                return tcp.getsockname()[1]
            except OSError:
                continue


def wait_for_release(loop):
    for _ in sys.stdin:
        loop.call_soon_threadsafe(released.set)
    os._exit(0)


async def serve_http1(reader, writer):
    try:
        while line := await reader.readline():
            mark = ""
            while (field := await reader.readline()) not in (b"\r\n", b""):
                name, _, value = field.decode().partition(":")
                if name.lower() == "x-mark":
                    mark = value.strip()
            head = f"HTTP/1.1 200 OK\r\nX-Mark: {mark}\r\nContent-Length: {len(mark)}\r\n\r\n"
            writer.write((head + mark).encode())
    except (OSError, ssl.SSLError):
        pass
    finally:
        writer.close()


class Peer(QuicConnectionProtocol):
    http = None
    refused = set()

    def quic_event_received(self, event):
        if self.http is None:
            self.http = H3Connection(self._quic)
            self.paths = {}
        for event in self.http.handle_event(event):
            if isinstance(event, HeadersReceived) and event.stream_id not in self.paths:
                fields = {name.decode(): value.decode() for name, value in event.headers}
                self.paths[event.stream_id] = fields[":path"]
                if fields[":path"] == "/hold":
                    asyncio.ensure_future(self.answer_later(event.stream_id, fields))
                else:
                    self.answer(event.stream_id, fields)
            elif isinstance(event, DataReceived) and self.paths.get(event.stream_id) == "/echo":
                self.http.send_data(event.stream_id, event.data, end_stream=False)
                if event.stream_ended:
                    self.http.send_headers(event.stream_id, [(b"x-after", b"echo")], end_stream=True)
        self.transmit()

    async def answer_later(self, stream, fields):
        await released.wait()
        self.answer(stream, fields)
        self.transmit()

    def answer(self, stream, fields):
        path, mark = fields[":path"], fields.get("x-mark", "")
        if path == "/lost":
            self._quic.close(H3_INTERNAL_ERROR)
        elif path == "/reset":
            self._quic.reset_stream(stream, H3_INTERNAL_ERROR)
        elif path == "/refused" and mark not in self.refused:
            self.refused.add(mark)
            self._quic.reset_stream(stream, H3_REQUEST_REJECTED)
        else:
            self.http.send_headers(stream, [(b":status", b"200"), (b"x-mark", mark.encode())])
            self.send_body(stream, path, mark)

    def send_body(self, stream, path, mark):
        if path == "/half":
            self.http.send_data(stream, b"H3-PART", end_stream=False)
            self.transmit()
            asyncio.get_running_loop().call_later(0.2, self.reset, stream)
        elif path.startswith("/bytes/"):
            self.http.send_data(stream, bytes(int(path[7:])), end_stream=True)
        elif path != "/echo":
            self.http.send_data(stream, mark.encode(), end_stream=True)

    def reset(self, stream):
        self._quic.reset_stream(stream, H3_INTERNAL_ERROR)
        self.transmit()


asyncio.run(main())
