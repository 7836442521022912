"""A model that runs one command at a prompt and then says a sentence, at the addresses that coding agents ask: those of
Anthropic, of OpenAI's responses and of Gemini. What it was sent is kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SAYS = (
    "I set it up. The root cause was a missing index on orders.created_at. Still need to add retries to the uploader."
)
_SHELLS = {
    "exec_command": lambda command: {"cmd": command},
    "shell_command": lambda command: {"command": command},
    "bash": lambda command: {"command": command, "description": "Run it"},
    "shell": lambda command: {"command": ["bash", "-lc", command]},
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.command = "echo 12 passed"


class ScriptedModel:
    def __init__(self, server: _Server) -> None:
        self._server = server
        self.url = f"http://127.0.0.1:{server.server_address[1]}"

    def will_run(self, command: str) -> None:
        """From here on; what was asked before is no longer told."""
        self._server.command = command
        self._server.asked.clear()

    @property
    def asked(self) -> list[str]:
        """What was sent since, as JSON."""
        return list(self._server.asked)


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    server = _Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield ScriptedModel(server)
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""

    def do_GET(self) -> None:
        self._say({"data": [], "models": []})

    def do_POST(self) -> None:
        body = self._body()
        asked = json.loads(body) if body else {}
        self.server.asked.append(json.dumps(asked))
        path = self.path.partition("?")[0]
        if path.endswith("/messages"):
            self._as_anthropic(asked)
        elif path.endswith("/responses"):
            self._as_openai(asked)
        elif "enerateContent" in path:
            self._as_gemini(asked, "stream" in path)
        else:
            self._say({"input_tokens": 10, "totalTokens": 10})

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        found = b""
        while size := int(self.rfile.readline().strip() or b"0", 16):
            found += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return found

    def _say(self, told: Any) -> None:
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, events: list[dict[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for one in events:
            name = f"event: {one['type']}\n" if "type" in one else ""
            self.wfile.write(f"{name}data: {json.dumps(one)}\n\n".encode())
        self.close_connection = True

    def _as_anthropic(self, asked: dict[str, Any]) -> None:
        said = [one for one in asked.get("messages", []) if one["role"] != "system"]
        last = said[-1]["content"] if said else ""
        is_done = isinstance(last, list) and any(one.get("type") == "tool_result" for one in last)
        runs = not is_done and any(one.get("name") == "Bash" for one in asked.get("tools", []))
        block: dict[str, Any] = {"type": "text", "text": SAYS}
        begun, more = {**block, "text": ""}, {"type": "text_delta", "text": SAYS}
        if runs:
            given = {"command": self.server.command, "description": "Run it"}
            block = {"type": "tool_use", "id": f"toolu_{len(self.server.asked)}", "name": "Bash", "input": given}
            begun, more = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(given)}
        usage, stop = {"input_tokens": 10, "output_tokens": 10}, "tool_use" if runs else "end_turn"
        message = {
            "id": f"msg_{len(self.server.asked)}", "type": "message", "role": "assistant", "model": asked.get("model"),
            "content": [block], "stop_reason": stop, "stop_sequence": None, "usage": usage,
        }  # fmt: skip
        if not asked.get("stream"):
            self._say(message)
            return
        self._stream(
            [
                {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
                {"type": "content_block_start", "index": 0, "content_block": begun},
                {"type": "content_block_delta", "index": 0, "delta": more},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
                {"type": "message_stop"},
            ]
        )

    def _as_openai(self, asked: dict[str, Any]) -> None:
        items = asked.get("input") or [{}]
        is_done = str(items[-1].get("type", "")).endswith("_output")
        names = {one.get("name") for one in asked.get("tools", [])}
        shell = None if is_done else next((one for one in _SHELLS if one in names), None)
        if shell is None:
            words = [{"type": "output_text", "text": SAYS, "annotations": []}]
            item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": words}
        else:
            given = json.dumps(_SHELLS[shell](self.server.command))
            call = f"call_{len(self.server.asked)}"
            item = {"type": "function_call", "id": "fc_1", "call_id": call, "name": shell, "arguments": given}
            item["status"] = "completed"
        usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}
        usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        whole = {"id": f"resp_{len(self.server.asked)}", "status": "completed", "output": [item], "usage": usage}
        self._stream(
            [
                {"type": "response.created", "response": {"id": whole["id"]}},
                {"type": "response.output_item.added", "output_index": 0, "item": item},
                {"type": "response.output_item.done", "output_index": 0, "item": item},
                {"type": "response.completed", "response": whole},
            ]
        )

    def _as_gemini(self, asked: dict[str, Any], streamed: bool) -> None:
        contents = asked.get("contents") or [{}]
        is_done = any("functionResponse" in one for one in contents[-1].get("parts", []))
        names = {one["name"] for tool in asked.get("tools", []) for one in tool.get("functionDeclarations", [])}
        part: dict[str, Any] = {"text": SAYS}
        if not is_done and "run_shell_command" in names:
            part = {"functionCall": {"name": "run_shell_command", "args": {"command": self.server.command}}}
        elif asked.get("generationConfig", {}).get("responseMimeType") == "application/json":
            part = {"text": json.dumps({"complexity_reasoning": "", "complexity_score": 1})}
        told = {
            "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        }
        if streamed:
            self._stream([told])
        else:
            self._say(told)
