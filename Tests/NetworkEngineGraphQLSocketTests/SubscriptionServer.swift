import Foundation
import TestSupport

/// An independent server for subscriptions: Python's ariadne, if installed.
final class SubscriptionServer {
    let url: URL
    private let process: ChildProcess

    static let isInstalled = Program.python(has: "ariadne", "uvicorn", "websockets")

    init() async throws {
        let process = try ChildProcess(Program.python, ["-u", "-c", Self.script], discardsErrors: true)
        self.process = process
        url = try await process.address()
    }

    private static let script = #"""
        import asyncio, os, socket, sys, threading
        import uvicorn
        from ariadne import QueryType, SubscriptionType, gql, make_executable_schema
        from ariadne.asgi import GraphQL
        from ariadne.asgi.handlers import GraphQLTransportWSHandler
        from ariadne.exceptions import WebSocketConnectionError

        types = gql("""
            type Query { running: Int!  connections: Int! }
            type Subscription { count(to: Int!, every: Float = 0): Int!  tick: Int!  who: String!  broken: Int! }
        """)
        query, subscription = QueryType(), SubscriptionType()
        running = connections = 0

        @query.field("running")
        def count_running(_, info): return running

        @query.field("connections")
        def count_connections(_, info): return connections

        @subscription.source("count")
        async def count(_, info, to, every=0):
            for number in range(to):
                if every: await asyncio.sleep(every)
                yield {"count": number}

        @subscription.source("tick")
        async def tick(_, info):
            global running
            running += 1
            try:
                number = 0
                while True:
                    yield {"tick": number}
                    number += 1
                    await asyncio.sleep(0.005)
            finally: running -= 1

        @subscription.source("who")
        async def who(_, info):
            yield {"who": info.context["connection_params"].get("token", "nobody")}

        @subscription.source("broken")
        async def broken(_, info):
            yield {"broken": 1}
            raise ValueError("it is broken")

        def connected(websocket, payload):
            if payload and payload.get("token") == "revoked": raise WebSocketConnectionError("revoked")
            websocket.scope["connection_params"] = payload or {}

        def context(request, data=None): return {"request": request, "connection_params": request.scope.get("connection_params", {})}

        app = GraphQL(make_executable_schema(types, query, subscription), context_value=context,
            websocket_handler=GraphQLTransportWSHandler(on_connect=connected))

        async def counted(scope, receive, send):
            global connections
            if scope["type"] != "websocket": return await app(scope, receive, send)
            connections += 1
            try: await app(scope, receive, send)
            finally: connections -= 1

        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        uvicorn.Server(uvicorn.Config(counted, log_level="critical", ws="websockets")).run(sockets=[listener])
        """#
}
