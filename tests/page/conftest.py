"""The page on a lived-in store: a real server on loopback, a real browser, and a store that each test may change."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from tests.page.browser import Browser, must_have_a_browser
from tests.page.life import SPACE, live

from treering.door import Treering
from treering.door import open as open_door
from treering.faces.rest.app import application
from treering.faces.rest.policy import ServerPolicy


@dataclass(frozen=True)
class Life:
    path: Path
    known: dict[str, Any]


@pytest.fixture(scope="session")
def life(tmp_path_factory: pytest.TempPathFactory) -> Life:
    """Written once; each test works on a copy."""
    path = tmp_path_factory.mktemp("life") / "life.db"
    return Life(path, live(path))


@dataclass(frozen=True)
class Served:
    url: str
    door: Treering
    known: dict[str, Any]


Serving = Callable[..., Served]


@pytest.fixture
def serving(life: Life, tmp_path: Path) -> Iterator[Serving]:
    """Makes a server on a copy of that life: `serving()`, or on another store by its path."""
    stops: list[Callable[[], None]] = []

    def make(path: Path | None = None, **policy: Any) -> Served:
        if path is None:
            path = tmp_path / "served.db"
            for one in life.path.parent.glob("life.db*"):
                if one.is_file():
                    shutil.copy(one, tmp_path / one.name.replace("life.db", "served.db"))
        door = open_door(path, actor="local", space=SPACE, embedder="none")
        listening = socket.create_server(("127.0.0.1", 0))
        app = application(door, ServerPolicy(**policy))
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()

        def stop() -> None:
            server.should_exit = True
            thread.join(20)
            listening.close()
            door.close()

        stops.append(stop)
        return Served(f"http://127.0.0.1:{listening.getsockname()[1]}", door, life.known)

    yield make
    for stop in stops:
        stop()


@pytest.fixture
def served(serving: Serving) -> Served:
    return serving()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    must_have_a_browser()
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture
def page(chromium: Browser, served: Served) -> Iterator[Browser]:
    """A window on the server; at the end nothing was asked of anybody else, and nothing went wrong in it."""
    yield chromium.fresh(served.url)
    noted = chromium.noted()
    chromium.goto("/healthz")  # no stream stays open while the server stops
    assert noted["blocked"] == []
    assert noted["errors"] == []
    assert noted["cookies"] == []
