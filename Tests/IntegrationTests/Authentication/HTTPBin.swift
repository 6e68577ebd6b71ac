import Foundation
import TestSupport

/// An independent server that requires authentication: Python's httpbin, if installed.
final class HTTPBin: Sendable {
    let url: URL
    private let process: ChildProcess

    static let isInstalled = Program.python(has: "httpbin")

    init() async throws {
        let process = try ChildProcess(Program.python, ["-u", "-c", Self.script], discardsErrors: true)
        self.process = process
        url = try await process.address()
    }

    /// The server on a port that the system chooses. It exits when its standard input ends.
    private static let script = """
        import sys, threading
        from wsgiref.simple_server import make_server, WSGIRequestHandler
        from flask import request
        import httpbin.core as core

        # A connection that closes with unread bytes is reset.
        core.app.before_request(lambda: (request.get_data(), None)[1])

        # httpbin's check of an answer, also for requests with a body.
        @core.app.route("/digest-body/<qop>/<user>/<passwd>/<algorithm>", methods=["POST", "PUT"])
        def digest_body(qop, user, passwd, algorithm):
            return core.digest_auth(qop=qop, user=user, passwd=passwd, algorithm=algorithm)

        class Quiet(WSGIRequestHandler):
            def log_message(self, *args): pass
        server = make_server("127.0.0.1", 0, core.app, handler_class=Quiet)
        print(server.server_port, flush=True)
        threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
        server.serve_forever()
        """
}
