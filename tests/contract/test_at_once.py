"""Two things at once: verifying while another writes, and the same ids in two spaces of one reading."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.conftest import HandClock

import treering


def test_verify_holds_one_instant_while_another_goes_on_writing(tmp_path: Path) -> None:
    path, stop = tmp_path / "busy.db", threading.Event()
    with treering.open(path) as mem, treering.open(path) as other:
        mem.add("the first")

        def write() -> None:
            count = 0
            while not stop.is_set():
                other.add(f"statement {count}", triples=[("Ann", "KNOWS", f"Bob {count % 7}")])
                count += 1

        writing = threading.Thread(target=write)
        writing.start()
        try:
            checks = [mem.verify() for _ in range(6)]
        finally:
            stop.set()
            writing.join()
    assert [str(one) for check in checks for one in check.differences] == []
    assert [check.entries for check in checks] == sorted(check.entries for check in checks)
    assert checks[-1].entries > 1


def test_a_journal_taken_in_below_its_own_space_keeps_its_entities_apart(
    mem: treering.Treering, tmp_path: Path, clock: HandClock
) -> None:
    mem.add("Ann met Bob", space="acme", entities=["Ann", "Bob", "Cy"])
    merged = mem.entity_merge("Ann", "Bob", space="acme").entity_id
    mem.export(str(tmp_path / "acme.jsonl"), space="acme")
    mem.import_journal(str(tmp_path / "acme.jsonl"), space="acme/copy")
    clock.advance(hours=1)
    mem.entity_split(merged, space="acme/copy")
    mem.assert_fact("Ann", "KNOWS", "Cy", space="acme/copy")

    assert mem.status(space="acme").entities == 2
    assert mem.status(space="acme/copy").entities == 3
    assert mem.status(space="acme", children=True).entities == 5
    assert mem.entity_get("Ann", space="acme").name == "Bob"
    assert mem.entity_get("Ann", space="acme/copy").name == "Ann"
    assert [fact.subject for fact in mem.facts(space="acme", children=True)] == ["Ann"]
    assert len(mem.list(space="acme", entities=["Ann"], children=True)) == 2
