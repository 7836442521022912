"""CrewAI's memory works on our storage as on its own: saves, searches by its vectors, moves through scopes, deletes."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from crewai.memory.storage.backend import StorageBackend
from crewai.memory.types import MemoryRecord
from crewai.memory.unified_memory import Memory

import treering
from treering.faces.frameworks.crewai import TreeringStorage, cosine

WORDS = ("dog", "cat", "oslo", "tea", "work")


def _vector(text: str) -> list[float]:
    return [float(text.lower().count(word)) + 0.01 for word in WORDS]


def _record(text: str, scope: str = "/", **more: object) -> MemoryRecord:
    return MemoryRecord(content=text, scope=scope, embedding=_vector(text), **more)  # type: ignore[arg-type]


def test_it_fits_the_protocol(door: treering.Treering) -> None:
    assert isinstance(TreeringStorage(door), StorageBackend)


def test_records_are_saved_searched_counted_and_deleted(door: treering.Treering) -> None:
    storage = TreeringStorage(door)
    old = datetime.now(UTC) - timedelta(days=9)
    storage.save([
        _record("The dog is Rex", "/ann/pets", categories=["pets"], metadata={"n": 1}, created_at=old),
        _record("The cat is Momo", "/ann/pets", categories=["pets"]),
        _record("Ann lives in Oslo", "/ann", categories=["home"]),
        _record("Bob drinks tea", "/bob"),
    ])  # fmt: skip
    found = storage.search(_vector("dog"), "/ann", limit=2)
    assert found[0][0].content == "The dog is Rex"
    assert found[0][1] > 0.9
    assert storage.search(_vector("dog"), "/bob", min_score=0.5) == []
    assert {one.content for one, _ in storage.search(_vector("x"), categories=["home"])} == {"Ann lives in Oslo"}
    assert [one.content for one, _ in storage.search(_vector("x"), metadata_filter={"n": 1})] == ["The dog is Rex"]
    assert storage.find("Who is the dog?")[0][0].content == "The dog is Rex"
    assert storage.count() == 4
    assert storage.count("/ann") == 3
    assert storage.list_scopes("/") == ["/ann", "/bob"]
    assert storage.list_scopes("/ann") == ["/ann/pets"]
    assert storage.list_categories("/ann") == {"pets": 2, "home": 1}
    info = storage.get_scope_info("/ann/pets")
    assert (info.record_count, info.categories) == (2, ["pets"])
    assert storage.list_records(limit=1)[0].content != "The dog is Rex"
    assert storage.delete(older_than=datetime.now(UTC) - timedelta(days=1)) == 1
    assert storage.count("/ann/pets") == 1
    storage.reset("/ann")
    assert storage.count() == 1


def test_an_update_is_a_revision_and_may_move(door: treering.Treering) -> None:
    storage = TreeringStorage(door)
    first = _record("Ann lives in Oslo", "/ann")
    storage.save([first])
    storage.update(first.model_copy(update={"content": "Ann lives in Bergen", "scope": "/ann/home"}))
    assert storage.get_record(first.id).content == "Ann lives in Bergen"  # type: ignore[union-attr]
    assert storage.count() == 1


def test_crewai_s_own_memory_remembers_and_recalls_with_it(door: treering.Treering) -> None:
    memory = Memory(storage=TreeringStorage(door), embedder=lambda texts: [_vector(one) for one in texts])
    memory.remember("The dog is called Rex", scope="/ann", categories=["pets"], importance=0.7)
    memory.remember("Ann lives in Oslo", scope="/ann", categories=["home"], importance=0.7)
    found = memory.recall("dog", scope="/ann", depth="shallow", limit=1)
    assert found[0].record.content == "The dog is called Rex"


def test_vectors_of_two_lengths_are_not_alike() -> None:
    assert cosine([1.0, 0.0], [1.0]) == 0.0
    assert cosine([1.0, 0.0], [1.0, 0.0]) == pytest.approx(1.0)


def test_the_example_runs() -> None:
    example = Path(__file__).parents[2] / "examples" / "frameworks" / "crewai_storage.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "Rex" in done.stdout
