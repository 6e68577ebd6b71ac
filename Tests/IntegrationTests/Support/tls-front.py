#!/usr/bin/env python3
"""Serves HTTPS on loopback ports, each with a different certificate, until standard input ends.

    tls-front.py FOLDER NAME...

Creates a CA and the certificates in FOLDER with the openssl program. Each name gets a port, printed as `NAME PORT`,
followed by `ready`. A response contains the TLS version and the subject of the client certificate.
"""

import os
import socket
import ssl
import subprocess
import sys
import threading

CONFIGURATION = """
[ca]
default_ca = authority
[authority]
new_certs_dir = .
database = index.txt
serial = serial
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
"""

HERE = "DNS:localhost,IP:127.0.0.1"
PRESENT = ("20200101000000Z", "20491231235959Z")
# The certificate's names and validity.
CERTIFICATES = {
    "good": (HERE, PRESENT),
    "expired": (HERE, ("20200101000000Z", "20200201000000Z")),
    "notYetValid": (HERE, ("20480101000000Z", "20491231235959Z")),
    "wrongHost": ("DNS:elsewhere.example", PRESENT),
    "clientRequired": (HERE, PRESENT),
    "oldVersion": (HERE, PRESENT),
    "ancientVersion": (HERE, PRESENT),
    "brokenBeforeHead": (HERE, PRESENT),
    "brokenInBody": (HERE, PRESENT),
    "client": ("DNS:client.example", PRESENT),
}


def main():
    os.chdir(sys.argv[1])
    names = sys.argv[2:]
    make_authority()
    for name in names:
        make_certificate(name)
    if "clientRequired" in names:
        make_certificate("client")
        openssl("pkcs12", "-export", "-in", "client.pem", "-inkey", "client.key", "-out", "client.p12",
                "-passout", "pass:secret")
    for name in names:
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        start(accept, listener, context(name), name)
        print(name, listener.getsockname()[1])
    print("ready", flush=True)
    sys.stdin.read()
    os._exit(0)


def openssl(*arguments):
    done = subprocess.run(["openssl", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"openssl {' '.join(arguments)}\n{done.stderr}")


def make_authority():
    with open("authority.cnf", "w") as file:
        file.write(CONFIGURATION)
    open("index.txt", "w").close()
    with open("serial", "w") as file:
        file.write("1000\n")
    make_key("authority")
    openssl("req", "-x509", "-new", "-key", "authority.key", "-out", "authority.pem", "-days", "3000",
            "-subj", "/CN=NetworkEngine tests")


def make_key(name):
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", f"{name}.key")


def make_certificate(name):
    make_key(name)
    if name == "selfSigned":
        openssl("req", "-x509", "-new", "-key", f"{name}.key", "-out", f"{name}.pem", "-days", "3000",
                "-subj", "/CN=localhost", "-addext", f"subjectAltName={HERE}")
        return
    names, (start_date, end_date) = CERTIFICATES[name]
    with open(f"{name}.ext", "w") as file:
        file.write(f"subjectAltName={names}\n")
    openssl("req", "-new", "-key", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
    openssl("ca", "-batch", "-config", "authority.cnf", "-cert", "authority.pem", "-keyfile", "authority.key",
            "-in", f"{name}.csr", "-out", f"{name}.pem", "-extfile", f"{name}.ext",
            "-startdate", start_date, "-enddate", end_date, "-notext")


def context(name):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(f"{name}.pem", f"{name}.key")
    if name == "oldVersion":
        made.maximum_version = ssl.TLSVersion.TLSv1_2
    if name == "ancientVersion":
        made.set_ciphers("DEFAULT@SECLEVEL=0")
        made.minimum_version = made.maximum_version = ssl.TLSVersion.TLSv1_1
    if name == "clientRequired":
        made.verify_mode = ssl.CERT_REQUIRED
        made.load_verify_locations("authority.pem")
    return made


def start(work, *arguments):
    threading.Thread(target=work, args=arguments, daemon=True).start()


def accept(listener, made, name):
    while True:
        start(serve, listener.accept()[0], made, name)


def serve(plain, made, name):
    try:
        with made.wrap_socket(plain, server_side=True, do_handshake_on_connect=False) as connection:
            try:
                connection.do_handshake()
            except ssl.SSLError:
                linger(connection)
                return
            if name.startswith("broken"):
                break_record(connection, name)
                return
            while answer(connection):
                pass
    except OSError:
        pass


def linger(connection):
    """Lets the alert arrive: unread bytes would turn the close into a reset."""
    connection.shutdown(socket.SHUT_WR)
    connection.settimeout(5)
    while connection.recv(65536):
        pass


def break_record(connection, name):
    """Reads a request with a short body, and answers with a record that can't be decrypted."""
    request = b""
    while not request.endswith(b"whole body"):
        request += connection.recv(65536)
    if name == "brokenInBody":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin")
    os.write(connection.fileno(), b"\x17\x03\x03\x00\x20" + bytes(32))
    while os.read(connection.fileno(), 65536):
        pass


def answer(connection):
    """Reads and answers a request without a body. Returns false if there is none."""
    request = b""
    while b"\r\n\r\n" not in request:
        piece = connection.recv(65536)
        if not piece:
            return False
        request += piece
    shown = connection.getpeercert() or {}
    subject = dict(pair for part in shown.get("subject", ()) for pair in part)
    body = f"{connection.version()} {subject.get('commonName', 'nobody')}".encode()
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    return True


main()
