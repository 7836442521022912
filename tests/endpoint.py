"""A real HTTP server on this machine that plays an endpoint: one that answers, stumbles, or talks nonsense."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Play = Callable[[dict[str, Any]], tuple[int, dict[str, str], bytes]]


def says(status: int, body: bytes = b"{}", **headers: str) -> Play:
    return lambda _: (status, {name.replace("_", "-"): value for name, value in headers.items()}, body)


class Endpoint:
    """Plays its parts one request after the other; the last one again and again."""

    def __init__(self) -> None:
        self.parts: list[Play] = [says(200)]
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.waits: list[float] = []
        self.lock = threading.Lock()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with endpoint.lock:
                    endpoint.requests.append(asked)
                    endpoint.headers.append({"path": self.path, **{k.lower(): v for k, v in self.headers.items()}})
                    part = endpoint.parts.pop(0) if len(endpoint.parts) > 1 else endpoint.parts[0]
                status, headers, body = part(asked)
                try:
                    self.send_response(status)
                    for name, value in {**headers, "content-length": str(len(body))}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    self.close_connection = True  # the caller has hung up

            def log_message(self, *_: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def stop(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
