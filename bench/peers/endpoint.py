"""WHO embeds for those that need somebody to? The stock MiniLM that comes with Treering's packages, behind the shape of
OpenAI's endpoint, on this machine: for memories that would otherwise ask a service or download a model."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from treering.mind.minilm import MiniLM

DIMS = MiniLM.dims


@contextmanager
def embedding() -> Iterator[str]:
    """The URL under which `/v1/embeddings` answers."""
    model = MiniLM()
    model.embed(["warm"])

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            texts = [asked["input"]] if isinstance(asked["input"], str) else list(asked["input"])
            rows = np.asarray(model.embed(texts), dtype=np.float32)
            packed = asked.get("encoding_format") == "base64"
            data = [
                {"object": "embedding", "index": n, "embedding": _packed(row) if packed else row.tolist()}
                for n, row in enumerate(rows)
            ]
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            body = json.dumps({"object": "list", "model": asked.get("model"), "data": data, "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()


def _packed(row: Any) -> str:
    return base64.b64encode(row.tobytes()).decode()
