"""The door, on another machine: the same methods and answers over HTTP, so that code moves to a server by one line.

Nothing is written twice: every operation is looked up in the door's own table, its arguments are checked here as there,
and answers become the values they were. What type checkers see is in `__init__.pyi`, made from the same signatures.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote, urlsplit

import httpx

from treering import errors
from treering.door import OPERATIONS
from treering.exchange.forms import form_of
from treering.faces.client.values import answer_of
from treering.files import Sent
from treering.model.space import DEFAULT_SPACE, space_name
from treering.model.value import plain
from treering.operation import Operation
from treering.store.whole_file import written_whole

_KINDS = {
    kind.code: kind
    for kind in (
        errors.InvalidRequest, errors.NotFound, errors.Conflict, errors.Held, errors.Forbidden, errors.LimitExceeded,
        errors.QuotaExceeded, errors.Unavailable, errors.Unsupported, errors.Fault, errors.Corrupted,
    )
}  # fmt: skip
_LOCAL = "http://127.0.0.1:8321"
_NOT_FROM_AFAR = frozenset({"sync"})
_OF_THE_STORE = frozenset({"spaces", "verify", "doctor", "run_jobs", "audit_search"})


class Client:
    """A door whose store is at a server. `key` is what `treering keys create` showed."""

    def __init__(
        self,
        url: str = _LOCAL,
        *,
        key: str | None = None,
        actor: str | None = None,
        space: str = DEFAULT_SPACE,
        timeout_seconds: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`actor`: on whose behalf, at a server without keys. `transport`: another way to reach it, as in tests."""
        if (parts := urlsplit(url)).scheme not in ("http", "https") or not parts.hostname:
            raise errors.InvalidRequest(f"url: {url!r} is no address of a server; give one such as {_LOCAL}")
        headers = {"Authorization": f"Bearer {key}"} if key else {"X-Agent-Id": actor} if actor else {}
        self._space = space_name(space)
        self._http = httpx.Client(
            base_url=url, headers=headers, timeout=timeout_seconds, transport=transport, trust_env=False
        )

    def space(self, name: str) -> Self:
        """The same client, bound to a space."""
        bound = copy(self)
        bound._space = space_name(name)
        return bound

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in OPERATIONS:
            raise AttributeError(f"there is no operation {name!r}; there are: {', '.join(OPERATIONS)}")
        operation = OPERATIONS[name]

        @functools.wraps(operation.method)
        def call(*args: Any, **kwargs: Any) -> Any:
            given = operation.named(args, kwargs)
            operation.check(given)
            return self._call(operation, given)

        return call

    def _call(self, operation: Operation, given: Mapping[str, Any]) -> Any:
        if operation.name in _NOT_FROM_AFAR:
            raise errors.Unsupported(f"{operation.name}: is for the machine the store is on; use `treering` there")
        space = given.get("space") or self._space
        if operation.name == "export":
            return self._export(operation, given)
        if operation.name == "audit_export":
            return self._audit_export(operation, given)
        if operation.name == "backup":
            return self._backup(operation, given)
        if operation.name == "import_journal":
            with Path(given["path"]).expanduser().open("rb") as journal:
                return self._answered(
                    operation, "POST", "/v1/import_journal", content=journal, params=_named(given, "space")
                )
        if operation.name == "receive_journal":
            with Path(given["path"]).expanduser().open("rb") as journal:
                return self._answered(operation, "POST", self._path(operation, given), content=journal)
        if operation.name == "add_file":
            return self._add_file(operation, given, space)
        body = {name: plain(value) for name, value in given.items() if name != "space"}
        params = {"sync": "true"} if operation.name == "remember" else {}
        return self._answered(operation, "POST", self._path(operation, given), json=body, params=params)

    def _path(self, operation: Operation, given: Mapping[str, Any]) -> str:
        of_store = not any(one.name == "space" for one in operation.parameters)
        if of_store or (operation.name in _OF_THE_STORE and given.get("space") is None):
            return f"/v1/{operation.name}"
        return f"/v1/spaces/{quote(given.get('space') or self._space)}/{operation.name}"

    def _add_file(self, operation: Operation, given: Mapping[str, Any], space: str) -> Any:
        file = given["file"]
        if not isinstance(file, bytes | Sent):
            file = Sent(Path(file).expanduser().read_bytes(), Path(file).name)
        name = given.get("name") or (file.name if isinstance(file, Sent) else None)
        data = file.data if isinstance(file, Sent) else file
        params = {one: plain(value) for one, value in given.items() if one not in ("file", "name", "space")}
        path = f"/v1/spaces/{quote(space)}/add_file"
        return self._answered(operation, "POST", path, content=data, params={**params, "name": name})

    def _export(self, operation: Operation, given: Mapping[str, Any]) -> Any:
        space, target = given.get("space"), Path(given["path"]).expanduser()
        path = "/v1/export" if space is None else f"/v1/spaces/{quote(space)}/export"
        form = form_of(target, given.get("format"))
        headers = self._fetched(path, target, {"format": form})
        told = {
            "path": str(target),
            "entries": int(headers.get("treering-entries", 0)),
            "spaces": [space] if space else [],
            "format": form,
        }
        return answer_of(operation, told)

    def _audit_export(self, operation: Operation, given: Mapping[str, Any]) -> Any:
        target = Path(given["path"]).expanduser()
        asked = {name: plain(given[name]) for name in ("since", "until") if given.get(name) is not None}
        headers = self._fetched("/v1/audit_export", target, asked)
        told = {"records": int(headers["treering-records"]), "head": headers["treering-head"]}
        return answer_of(operation, {"path": str(target), **told})

    def _fetched(self, path: str, target: Path, params: Mapping[str, Any]) -> httpx.Headers:
        """What the server sends, in a new file; its headers tell of it."""
        with self._http.stream("GET", path, params=params) as answer:
            if answer.status_code >= 400:
                answer.read()
                _raise(answer)
            with target.open("xb") as file:
                for piece in answer.iter_bytes():
                    file.write(piece)
        return answer.headers

    def _backup(self, operation: Operation, given: Mapping[str, Any]) -> Any:
        """What comes is what was sent, or it is not kept: its digest is compared."""
        target = Path(given["path"]).expanduser()
        body = {name: plain(value) for name, value in given.items() if name != "path" and value is not None}
        seen = hashlib.sha256()
        with self._http.stream("POST", "/v1/backup", json=body, timeout=None) as answer, written_whole(target) as part:
            if answer.status_code >= 400:
                answer.read()
                _raise(answer)
            with part.open("wb") as file:
                for piece in answer.iter_bytes():
                    seen.update(piece)
                    file.write(piece)
            if seen.hexdigest() != answer.headers.get("treering-sha256"):
                raise errors.Unavailable(f"{target}: the backup was cut off or changed on its way; try again")
            size = part.stat().st_size
        told = {
            "path": str(target),
            "bytes": size,
            "sha256": seen.hexdigest(),
            "sealed": answer.headers["treering-sealed"] == "yes",
            "spaces": int(answer.headers["treering-spaces"]),
            "entries": int(answer.headers["treering-entries"]),
            "verified": answer.headers["treering-verified"] == "yes",
        }
        return answer_of(operation, told)

    def _answered(self, operation: Operation, method: str, path: str, **more: Any) -> Any:
        try:
            answer = self._http.request(method, path, **more)
        except httpx.HTTPError as error:
            raise errors.Unavailable(
                f"{self._http.base_url}: does not answer ({error}); is `treering serve` running?"
            ) from error
        if answer.status_code >= 400:
            _raise(answer)
        return answer_of(operation, answer.json())

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({str(self._http.base_url)!r}, space={self._space!r})"


def _named(given: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {name: given[name]} if given.get(name) is not None else {}


def _raise(answer: httpx.Response) -> None:
    """The server's error, as the kind it was."""
    try:
        told = answer.json()["error"]
        code, message = told["code"], told["message"]
    except (ValueError, KeyError, TypeError):
        raise errors.Unavailable(f"the server answered {answer.status_code} and no words of ours") from None
    kind = _KINDS.get(code, errors.Forbidden if answer.status_code in (401, 403) else errors.Unavailable)
    if kind is errors.Unavailable:
        wait = answer.headers.get("retry-after", "")
        raise errors.Unavailable(message, float(wait) if wait.isdecimal() else None)
    raise kind(message)
