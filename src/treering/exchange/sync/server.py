"""How does a store meet a server? It fetches the server's journal of the space and takes it over, then sends its own:
the server does the same with that. A download that broke off is taken as far as it came.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from treering.errors import Forbidden, InvalidRequest, NotFound, Unavailable
from treering.model.journal import write_line
from treering.store.contract import Store

if TYPE_CHECKING:
    import httpx

TIMEOUT_SECONDS = 60.0
_REFUSED = 400


def is_address(place: str) -> bool:
    return urlsplit(place).scheme in ("http", "https")


class ServerPeer:
    """The same space at a server."""

    def __init__(self, url: str, space: str, key: str | None) -> None:
        import httpx

        self._path = f"/v1/spaces/{quote(space)}"
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._url = url
        self._http = httpx.Client(base_url=url, headers=headers, timeout=TIMEOUT_SECONDS, trust_env=False)

    def __enter__(self) -> ServerPeer:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def fetch(self, folder: Path) -> Path:
        """Its journal, as far as it came."""
        import httpx

        path = folder / "there.jsonl"
        with path.open("wb") as file:
            try:
                with self._http.stream("GET", f"{self._path}/export", params={"format": "journal"}) as answer:
                    if answer.status_code >= _REFUSED:
                        answer.read()
                        self._must_be_well(answer)
                    for piece in answer.iter_bytes():
                        file.write(piece)
            except httpx.HTTPError as error:
                if not file.tell():
                    raise Unavailable(f"place: {self._url} cannot be reached ({error})") from error
        return path

    def send(self, store: Store, space: str) -> dict[str, Any]:
        import httpx

        def lines() -> Iterator[bytes]:
            for entry in store.entries(space):
                yield (write_line(entry) + "\n").encode()

        try:
            answer = self._http.post(f"{self._path}/receive_journal", content=lines())
        except httpx.HTTPError as error:
            raise Unavailable(
                f"place: {self._url} could not be sent to ({error}); what was taken over from it stays. Try again"
            ) from error
        self._must_be_well(answer)
        told: dict[str, Any] = answer.json()
        return told

    def _must_be_well(self, answer: httpx.Response) -> None:
        if answer.status_code < _REFUSED:
            return
        try:
            said = str(answer.json()["error"]["message"])
        except (ValueError, KeyError, TypeError):
            said = f"it answered {answer.status_code}"
        if answer.status_code in (401, 403):
            raise Forbidden(f"place: {self._url} refused: {said}. Give the key of an admin of all spaces as `key`")
        if answer.status_code == 404:
            raise NotFound(f"place: {self._url} has no such route: {said}; is it a Treering server of this version?")
        raise (InvalidRequest if answer.status_code < 500 else Unavailable)(f"place: {self._url}: {said}")
