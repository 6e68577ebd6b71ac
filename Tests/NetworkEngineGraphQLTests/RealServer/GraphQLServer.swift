import Foundation
import TestSupport

/// An independent GraphQL server: Python's ariadne, if installed.
final class GraphQLServer {
    let url: URL
    private let process: ChildProcess

    static let isInstalled = Program.python(has: "ariadne")

    init() async throws {
        let process = try ChildProcess(Program.python, ["-u", "-c", Self.script], discardsErrors: true)
        self.process = process
        url = try await process.address()
    }

    private static let script = #"""
        import io, sys, threading
        from wsgiref.simple_server import make_server, WSGIRequestHandler
        from ariadne import ObjectType, QueryType, MutationType, upload_scalar, gql, make_executable_schema
        from ariadne.wsgi import GraphQL

        types = gql("""
            enum Order { NEWEST OLDEST }
            input Filter { name: String, minimum: Float, tags: [String!] }
            type User { id: ID! name: String! broken: String }
            type Query { user(id: ID!): User  users(filter: Filter, order: Order = OLDEST): [User!]! }
            scalar Upload
            type Mutation { rename(id: ID!, name: String!): User!  read(files: [Upload!]!): [String!]! }
        """)
        query, mutation = QueryType(), MutationType()
        names = {"1": "Ada", "2": "Grace"}

        @query.field("user")
        def user(_, info, id):
            return {"id": id, "name": names[id]} if id in names else None

        @query.field("users")
        def users(_, info, filter=None, order="OLDEST"):
            found = [{"id": k, "name": v} for k, v in names.items() if not filter or filter.get("name") in (None, v)]
            return found[::-1] if order == "NEWEST" else found

        @mutation.field("rename")
        def rename(_, info, id, name):
            return {"id": id, "name": name}

        @mutation.field("read")
        def read(_, info, files):
            for file in files: file.file_object.seek(0)
            return [f"{file.file_name.decode()}: {file.file_object.read().decode()}" for file in files]

        def broken(_, info): raise ValueError("it is broken")
        user_type = ObjectType("User"); user_type.set_field("broken", broken)

        app = GraphQL(make_executable_schema(types, query, mutation, user_type, upload_scalar), execute_get_queries=True, debug=False)

        def bounded(environ, start):  # forms are read to the end, which wsgiref does not know
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            return app({**environ, "wsgi.input": io.BytesIO(body)}, start)

        class Quiet(WSGIRequestHandler):
            def log_message(self, *args): pass
        server = make_server("127.0.0.1", 0, bounded, handler_class=Quiet)
        print(server.server_port, flush=True)
        threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
        server.serve_forever()
        """#
}
