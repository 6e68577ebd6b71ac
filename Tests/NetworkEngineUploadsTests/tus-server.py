"""A third-party tus server, the package tuspyserver, which also counts the bytes in bodies."""
import os, socket, sys, threading
import uvicorn
from fastapi import FastAPI
from tuspyserver import create_tus_router

folder = sys.argv[1]
count = 0
app = FastAPI()
app.include_router(create_tus_router(prefix="files", files_dir=folder, max_size=1 << 40))


@app.get("/count")
def received():
    return count


async def counting(scope, receive, send):
    async def counted():
        global count
        message = await receive()
        if message["type"] == "http.request":
            count += len(message.get("body", b""))
        return message

    await app(scope, counted, send)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
uvicorn.Server(uvicorn.Config(counting, log_level="critical")).run(sockets=[listener])
