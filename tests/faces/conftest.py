"""A small store with a life in it, and ways to ask it."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.conftest import HandClock
from tests.faces.command import Here

import treering

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
"""When the life was written."""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "life.db"


@pytest.fixture
def cli(store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    for name in ("TREERING_URL", "TREERING_ACTOR", "TREERING_SPACE", "TREERING_DURABILITY", "TREERING_IDENTITY"):
        monkeypatch.delenv(name, raising=False)
    return Here(store, capsys, monkeypatch)


@pytest.fixture
def life(store: Path, lived: tuple[Path, dict[str, str]]) -> dict[str, str]:
    """Ids by name: memories `job`, `home` and `old`, edges `link` and `fact`, and the merged entity `sammy`."""
    shutil.copy(lived[0], store)
    return dict(lived[1])


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """That store, made once and copied for every test."""
    store = tmp_path_factory.mktemp("lived") / "life.db"
    with treering.open(store, embedder="none", clock=HandClock(THEN)) as mem:
        job = mem.add("Sam works at Google", triples=[("Sam", "WORKS_FOR", "Google")], event_time="2024-01-01")
        home = mem.add("Sam lives in Austin", tags=["home"], entities=["Sam", "Austin"])
        old = mem.add("Sam once met Kim", session="s1", speaker="Sam")
        link = mem.link(home.id, job.id)
        mem.forget(old.id)
        sammy = mem.entity_register("Sammy")
        mem.entity_merge("Sammy", "Sam")
        fact = mem.facts(subject="Sam")[0]
        doubts = mem.space("doubts")
        here = doubts.add("Kim is in Rome", tags=["kim"], speaker="Sam").id
        doubts.link(doubts.add("Kim is in Nice").id, here, "contradicts", why="one place at a time")
        said = doubts.add("Kim eats fish").id
        doubts.link(doubts.add("Kim likes Rome for its fish").id, said, "derived_from")
        doubts.forget(said, why="asked to")
    return store, {
        "job": job.id,
        "home": home.id,
        "old": old.id,
        "link": link.edge.id,
        "fact": fact.id,
        "sammy": sammy.entity_id,
    }
