"""A small store with a life in it, ways to ask it, and what one call of every operation needs besides."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.conftest import HandClock
from tests.faces.command import Here

import treering
from treering import settings
from treering.exchange.webhooks.kept import DeadLetter, bury
from treering.keyfile import make_key
from treering.model.identity import Identity
from treering.model.job import JobError, JobStatus
from treering.store.trail import Noted

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
"""When the life was written."""
Life = dict[str, str]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "life.db"


@pytest.fixture
def cli(store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    for name in ("TREERING_URL", "TREERING_ACTOR", "TREERING_SPACE", "TREERING_DURABILITY", "TREERING_IDENTITY"):
        monkeypatch.delenv(name, raising=False)
    return Here(store, capsys, monkeypatch)


@pytest.fixture
def life(store: Path, lived: tuple[Path, Life]) -> Life:
    """Ids by name: memories `job`, `home` and `old`, the `source` of the first, edges `link` and `fact`, and the merged
    entity `sammy`."""
    shutil.copy(lived[0], store)
    return dict(lived[1])


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Life]:
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
        doubts.relation_set("COACHED_BY", gloss="who coaches somebody", cardinality="one")
    return store, {
        "job": job.id,
        "source": job.source_ids[0],
        "home": home.id,
        "old": old.id,
        "link": link.edge.id,
        "fact": fact.id,
        "sammy": sammy.entity_id,
    }


@pytest.fixture
def names(life: Life, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: Full) -> dict[str, str]:
    """What the calls need besides a life: jobs, guests, a signer, a question, files; made once and copied."""
    shutil.copytree(full.folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("TREERING_BACKUPS", str(tmp_path / "files" / "backups"))
    return {**life, **full.names, "folder": str(tmp_path / "files")}


class Full(NamedTuple):
    folder: Path
    names: dict[str, str]


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory, lived: tuple[Path, Life]) -> Full:
    whole = tmp_path_factory.mktemp("full")
    store, folder = whole / "life.db", whole / "files"
    shutil.copy(lived[0], store)
    folder.mkdir()
    (folder / "cortexgraph").mkdir()
    (folder / "cortexgraph" / "memories.jsonl").write_text(
        '{"id": "11111111-1111-4111-8111-111111111111", "content": "Sam plays go", "created_at": 1760000000, '
        '"last_used": 1760000000, "use_count": 2, "meta": {"tags": ["fun"]}}\n'
    )
    (folder / "many.jsonl").write_text('{"content": "one"}\n\n{"content": "two", "tags": ["b"]}\n')
    (folder / "facts.jsonl").write_text('Sam|KNOWS|Kim\n{"subject": "Kim", "relation": "KNOWS", "object": "Sam"}\n')
    (folder / "notes.md").write_text("# Manual\n\nRead me.\n\n## Setup\n\nPlug it in.\n")
    (folder / "vault").mkdir()
    note = folder / "vault" / "Sam.md"
    note.write_text("---\ntags: [plan]\n---\nSam works at [[Google]].\n")
    os.utime(note, (THEN.timestamp(), THEN.timestamp()))
    with treering.open(folder / "other.db", clock=HandClock(THEN)) as other:
        other.add("from elsewhere")
        other.export(str(folder / "other.jsonl"))
    keys = settings.key_folder({"XDG_DATA_HOME": str(whole)})
    made = make_key(keys, "signer")
    signer = Identity.from_secret(Path(made.path).read_text("ascii"))
    with treering.open(store, actor="signer", identity=signer, clock=HandClock(THEN)) as mem:
        mem.entity_register("Notary")
    names = {**_jobs(store), **_guests(store), "question": _question(store, lived[1])}
    (folder / "backups").mkdir()
    with treering.open(store, clock=HandClock(THEN)) as mem:
        mem.backup(str(folder / "backups" / "treering-20250101T000000Z.db"), verify=False)
    return Full(whole, names)


def _guests(store: Path) -> dict[str, str]:
    with treering.open(store, clock=HandClock(THEN)) as mem:
        hook = mem.webhook_add("http://127.0.0.1:9/told").webhook.id
        letter = DeadLetter(
            id="1", webhook_id=hook, space="default", seq=1, at=mem._now(), tries=8, error="answered 500"
        )
        bury(mem._store.drawer, letter)
        mem.grant_add("staff", "acme", role="read")
        told = {"caller": "Kim", "key": "5f0c2a9be417", "request": "r1"}
        mem._store.trail.append(
            [Noted(at=mem._now(), kind="read", operation="recall", space="default", outcome="ok", **told)]
        )
        return {"key": mem.key_create("Kim", spaces=["*"]).key.id, "hook": hook}


def _question(store: Path, life: Life) -> str:
    with treering.open(store, clock=HandClock(THEN)) as mem:
        return mem.review_create("decay", "reinforce", memory_ids=[life["job"]], proposal={"op": "review"}).id


def _jobs(store: Path) -> dict[str, str]:
    with treering.open(store, clock=HandClock(THEN)) as mem:
        failed = mem.enqueue("Sam failed", extractor="none")
        claim = mem._store.jobs.claim("w", mem._now(), 60)
        assert claim is not None
        mem._store.jobs.finish(claim.job, mem._now(), JobStatus.FAILED, errors=[JobError(code="fault", message="no")])
        return {"failed": failed.id, "asked": mem.enqueue("Sam asked", session="s1", extractor="none").id}
