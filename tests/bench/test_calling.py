"""What do the clients of a load run tell when something goes wrong, and what does the server's log add to it?"""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from bench.calling import SPACE, Calling
from bench.server_log import MOST_KEPT, ServerLog
from tests.faces.rest.live import live

from treering.door import Treering
from treering.faces.rest.policy import ServerPolicy
from treering.store import open_store


def line(**told: object) -> str:
    return json.dumps(told) + "\n"


FAULT = line(request="b2", error="a fault of Treering itself (KeyError)", traceback="Traceback …\nKeyError: 'x'")
SAID = [
    line(request="a1", route="/v1/recall", status=200),
    FAULT,
    line(request="b2", route="/v1/recall", status=500),
    line(request="c3", route="/v1/recall", status=404),
    "Exception in another library\n",
    line(process="treering-answers-1", ended=-9),
]


def test_of_a_log_only_what_somebody_must_look_at_is_told_and_all_of_it_is_kept(tmp_path: Path) -> None:
    log = ServerLog(tmp_path / "load.db.log")
    log.take(io.StringIO("".join(SAID)))
    assert log.alarming() == [SAID[place].strip() for place in (1, 2, 4, 5)]
    assert log.path.read_text().splitlines(keepends=True) == SAID
    assert log.of_request("b2").startswith("Traceback …\nKeyError: 'x'\n")
    assert log.of_request("a1") == log.of_request("") == ""


def test_a_log_that_never_ends_is_not_held_in_memory(tmp_path: Path) -> None:
    log = ServerLog(tmp_path / "load.db.log")
    log.take(io.StringIO("again\n" * (MOST_KEPT + 5)))
    assert len(log.alarming()) == MOST_KEPT


def test_an_answer_that_is_a_fault_is_told_with_its_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Treering, "recall", breaks)
    store = open_store(str(tmp_path / "load.db"), "normal")
    with live(Treering(store, actor="local", space=SPACE), ServerPolicy(shutdown_seconds=1)) as url:
        seen = Calling(url, 1, 0.5, "load", writes=0.5).run()
    store.close()
    assert seen.acknowledged
    assert not seen.recalls
    first = seen.errors[0]
    assert first.what.startswith('500 {"error":{"code":"fault"')
    assert first.request.startswith(f"GET /v1/spaces/{SPACE}/recall?query=")
    assert len(first.number) == 16
    assert all("the connection broke" not in one.what for one in seen.errors)
