#!/usr/bin/env python3
"""Serves HTTP/2 and HTTP/1.1 over TLS on a loopback port, with faults that only a server can cause.

    h2-server.py CERTIFICATE KEY PROTOCOLS...

The first connection uses the first protocol (`h2` or `http/1.1`), and so on; the last one applies to all further
connections. Prints the port. A response repeats the request's `X-Mark` and uses it as the body. Special paths:

    /hold          is answered when a line arrives on standard input
    /downgrade     is reset with HTTP_1_1_REQUIRED
    /half          starts with a head and seven bytes, and is then reset with HTTP_1_1_REQUIRED
    /echo          echoes every chunk of the body
    /early         is answered without reading the body, which HTTP/2 then rejects without an error
    /leaving       is an echo on a connection that accepts no more requests after the first chunk
    /reset         is an echo that loses its stream or connection after the first chunk
    /refused       is answered with a 413 without reading the body
"""

import os
import socket
import ssl
import sys
import threading
import time

import h2.config
import h2.connection
import h2.events

HTTP_1_1_REQUIRED = 0xD
INTERNAL_ERROR = 0x2
ECHOES = ("/echo", "/leaving", "/reset")
ANSWERS = {"/early": (200, "enough"), "/refused": (413, "too much")}
released = threading.Event()


def main():
    certificate, key, protocols = sys.argv[1], sys.argv[2], sys.argv[3:]
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    print(listener.getsockname()[1], flush=True)
    start(wait_for_release)
    number = 0
    while True:
        connection, _ = listener.accept()
        protocol = protocols[min(number, len(protocols) - 1)]
        number += 1
        start(serve, connection, certificate, key, protocol)


def start(work, *arguments):
    threading.Thread(target=work, args=arguments, daemon=True).start()


def wait_for_release():
    for _ in sys.stdin:
        released.set()
    os._exit(0)


def serve(connection, certificate, key, protocol):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    try:
        context.set_alpn_protocols([protocol])
        connection = context.wrap_socket(connection, server_side=True)
        if connection.selected_alpn_protocol() == "h2":
            serve_http2(connection)
        else:
            serve_http1(connection)
    except (OSError, ssl.SSLError):
        pass
    finally:
        connection.close()


def serve_http1(connection):
    source = connection.makefile("rb")
    while line := source.readline():
        path = line.split()[1].decode()
        mark = ""
        while (field := source.readline()) not in (b"\r\n", b""):
            name, _, value = field.decode().partition(":")
            if name.lower() == "x-mark":
                mark = value.strip()
        if path in ECHOES:
            return echo(connection, source, path)
        if path in ANSWERS:
            status, text = ANSWERS[path]
            head = f"HTTP/1.1 {status} X\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n"
            connection.sendall((head + text).encode())
            connection.shutdown(socket.SHUT_WR)
            return source.read()
        if path == "/hold":
            released.wait()
        head = f"HTTP/1.1 200 OK\r\nX-Mark: {mark}\r\nContent-Length: {len(mark)}\r\n\r\n"
        connection.sendall((head + mark).encode())


def echo(connection, source, path):
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while (size := int(source.readline(), 16)) > 0:
        connection.sendall(b"%x\r\n" % size + source.read(size + 2))
        if path == "/reset":
            return
    connection.sendall(b"0\r\nx-after: echo\r\n\r\n")


# The streams that echo their bodies as they arrive, on a test's only connection, with their paths.
echoes = {}


def serve_http2(connection):
    peer = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    peer.initiate_connection()
    connection.sendall(peer.data_to_send())
    while data := connection.recv(65536):
        for event in peer.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                fields = {name.decode(): value.decode() for name, value in event.headers}
                answer(peer, event.stream_id, fields, connection)
            elif isinstance(event, h2.events.DataReceived) and event.stream_id in echoes:
                peer.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                peer.send_data(event.stream_id, event.data)
                path = echoes[event.stream_id]
                if path == "/reset":
                    connection.sendall(peer.data_to_send())
                    echoes.pop(event.stream_id)
                    peer.reset_stream(event.stream_id, INTERNAL_ERROR)
                elif path == "/leaving":
                    echoes[event.stream_id] = "/echo"
                    goaway = bytes((0, 0, 8, 7, 0, 0, 0, 0, 0)) + event.stream_id.to_bytes(4, "big") + bytes(4)
                    connection.sendall(peer.data_to_send() + goaway)
            elif isinstance(event, h2.events.StreamEnded) and event.stream_id in echoes:
                peer.send_headers(event.stream_id, [("x-after", "echo")], end_stream=True)
        connection.sendall(peer.data_to_send())


def answer(peer, stream, fields, connection):
    path, mark = fields[":path"], fields.get("x-mark", "")
    if path == "/downgrade":
        return peer.reset_stream(stream, HTTP_1_1_REQUIRED)
    if path in ANSWERS:
        status, text = ANSWERS[path]
        peer.send_headers(stream, [(":status", str(status))])
        peer.send_data(stream, text.encode(), end_stream=True)
        connection.sendall(peer.data_to_send())
        return peer.reset_stream(stream, 0)
    peer.send_headers(stream, [(":status", "200"), ("x-mark", mark)])
    if path in ECHOES:
        echoes[stream] = path
        return
    if path == "/half":
        peer.send_data(stream, b"H2-PART")
        connection.sendall(peer.data_to_send())
        # By then the client has read the head and the bytes.
        time.sleep(0.2)
        return peer.reset_stream(stream, HTTP_1_1_REQUIRED)
    peer.send_data(stream, mark.encode(), end_stream=path != "/trailers")
    if path == "/trailers":
        peer.send_headers(stream, [("x-after", mark)], end_stream=True)


main()
