#!/usr/bin/env python3
"""Rejects every `Expect` with a 417, and keeps the connection open unless the request has `Connection: close`.

    expectation-server.py AFTER

After a 417 the server `reads` the body that the head declared, or treats the following bytes as the `next` request. A
request without `Expect` is answered with the length of its body. `/log` is answered with a line for each request so
far: the method, and `expects` or the number of bytes. Prints the port.
"""

import os
import socket
import sys
import threading

log = []


def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)
    # Exits with its parent.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()


def serve(connection):
    try:
        with connection, connection.makefile("rb") as file:
            while answer(connection, file):
                pass
    except (OSError, ValueError):
        pass


def answer(connection, file):
    method, path = file.readline().decode().split(" ")[:2]
    fields = {}
    while (line := file.readline().strip()):
        name, _, value = line.decode().partition(":")
        fields[name.lower()] = value.strip()
    length = int(fields.get("content-length", "0"))
    if "expect" in fields:
        log.append(f"{method} expects")
        closes = fields.get("connection", "") == "close"
        end = b"Connection: close\r\n" if closes else b""
        connection.sendall(b"HTTP/1.1 417 Expectation Failed\r\n" + end + b"Content-Length: 8\r\n\r\nnot here")
        if closes:
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):
                pass
            return False
        return sys.argv[1] == "next" or len(file.read(length)) == length
    if len(file.read(length)) < length:
        return False
    text = "\n".join(log) if path == "/log" else str(length)
    if path != "/log":
        log.append(f"{method} {length}")
    connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())
    return True


main()
