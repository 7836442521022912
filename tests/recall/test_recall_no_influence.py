"""What asking must not do, and what must have no influence on an answer."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.conftest import Doors, HandClock
from tests.recall.talks import keys, talk

import treering
from treering.door import Treering
from treering.recall.answer import Answer
from treering.recall.visibility import MOST_CACHED

__all__ = ["talk"]


def told(answer: Answer) -> list[str]:
    return [hit.memory.content for hit in answer]


# what it must never do


def test_asking_writes_nothing(file_mem: Treering, db_path: Path) -> None:
    file_mem.add("The kettle is red", entities=["Kettle"])
    before = [(one.name, one.stat().st_mtime_ns, one.read_bytes()) for one in sorted(db_path.parent.iterdir())]
    for view in ("auto", "current", "history"):
        file_mem.recall("kettle red", view=view, explain=True, neighbours=3)  # type: ignore[arg-type]
    after = [(one.name, one.stat().st_mtime_ns, one.read_bytes()) for one in sorted(db_path.parent.iterdir())]
    assert [one for one in after if "-shm" not in one[0]] == [one for one in before if "-shm" not in one[0]]


def test_the_same_question_to_the_same_state_has_the_same_answer_after_reopening(
    db_path: Path, clock: HandClock
) -> None:
    def ask() -> list[Answer]:
        with treering.open(db_path, clock=clock, actor="ann") as mem:
            return [mem.recall(question, explain=True) for question in ("blue bowl", "tickets in January", "Ruth")]

    with treering.open(db_path, clock=clock, actor="ann") as mem:
        for number in range(30):
            mem.add(f"blue bowl {number} with tickets", entities=["Ruth"], session=f"s{number % 4}", speaker="Ann")
        here = [mem.recall(question, explain=True) for question in ("blue bowl", "tickets in January", "Ruth")]
    assert ask() == here
    assert ask() == ask()


def test_a_space_answers_exactly_as_it_would_alone(new_store: Any, clock: HandClock) -> None:
    alone, crowded = (Treering(new_store("sqlite"), clock=clock, actor="ann") for _ in range(2))
    for number in range(300):
        crowded.add(f"blue bowl of pottery number {number} in Lisbon", space="large", entities=["Ruth", "Lisbon"])
    for mem in (alone, crowded):
        clock.now += timedelta(0)
        mem.add("a blue bowl for Ruth", space="small", entities=["Ruth"], speaker="Ann", session="s", key="a")
        mem.add("pottery is fun", space="small", entities=["Ruth"], speaker="Bob", session="s", key="b")
        mem.add("Lisbon by train", space="small", entities=["Lisbon"], speaker="Bob", session="t", key="c")
    for question in ("blue bowl", "pottery in Lisbon", "Who is Ruth?", "number 17"):
        answers = [mem.recall(question, space="small", explain=True) for mem in (alone, crowded)]
        seen = [[(hit.sources[0].key, hit.score, hit.why, hit.explanation) for hit in answer] for answer in answers]
        assert seen[0] == seen[1]


def test_what_is_private_to_others_changes_nothing_in_an_answer(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")

    def write(secrets: bool, space: str) -> None:
        ann.add("the blue bowl broke", space=space, speaker="Ann", session="s", key="1", entities=["Bowl"])
        if secrets:
            ann.add(
                "blue bowl secret", space=space, speaker="Ann", session="s", visibility="private", entities=["Ruth"]
            )
            ann.add("bowl and bowl", space=space, speaker="Ann", session="s", visibility="private", entities=["Bowl"])
        ann.add("then we glued it", space=space, speaker="Bob", session="s", key="2", entities=["Bowl"])
        ann.add("a bowl of soup", space=space, speaker="Bob", session="t", key="3")

    write(False, "open")
    write(True, "kept")
    for question in ("blue bowl", "What broke?", "Ruth", "secret", "glue"):
        seen = [
            [
                (hit.sources[0].key, hit.score, hit.why, hit.explanation, hit.before, hit.supporters)
                for hit in bob.recall(question, space=space, explain=True)
            ]
            for space in ("open", "kept")
        ]
        assert seen[0] == seen[1], question
    assert "blue bowl secret" in told(ann.recall("secret", space="kept"))


def test_a_forgotten_turn_lends_its_words_to_nobody(talk: Treering) -> None:
    bowl = next(hit.memory.id for hit in talk.recall("blue bowl") if hit.sources[0].key == "t2")
    talk.forget(bowl)
    assert not talk.recall("blue bowl Ruth").hits


def test_a_purged_memory_is_gone_from_the_index_in_memory(talk: Treering) -> None:
    bowl = next(hit.memory.id for hit in talk.recall("blue bowl") if hit.sources[0].key == "t2")
    talk.purge(bowl, "asked to")
    assert not talk.recall("blue bowl Ruth").hits
    assert keys(talk.recall("pottery class"))[0] == "t0"


def test_what_another_door_writes_is_found_at_once(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    assert not ann.recall("heron").hits
    bob.add("A heron on the roof", key="heron")
    assert keys(ann.recall("heron")) == ["heron"]


# what is kept in memory


def test_of_very_many_who_ask_no_more_is_kept_than_what_the_last_of_them_may_see(mem: Treering) -> None:
    mem.add("Ada keeps the key under the mat", key="open")
    for number in range(40):
        who = f"agent:{number}"
        mem.acting_for(who).add(f"Ada told {number} alone of the key", visibility="private", key=f"private {number}")
    for _ in range(2):
        for number in range(40):
            found = keys(mem.recall("Where is Ada's key?", principal=f"agent:{number}"))
            assert set(found) == {"open", f"private {number}"}
    kept = [place.cached for place in mem._finder._cache._kept.values()]
    assert all(one is not None and len(one.visibility._kept) <= MOST_CACHED for one in kept)
    assert kept


def test_what_is_superseded_forgotten_or_private_to_others_is_gone_from_the_very_next_answer(mem: Treering) -> None:
    old = mem.add("The office is in Oslo", key="old")
    assert keys(mem.recall("Where is the office?")) == ["old"]
    new = mem.add("The office is in Rome", key="new")
    assert set(keys(mem.recall("Where is the office?"))) == {"old", "new"}
    mem.link(new.id, old.id, "extends")
    assert set(keys(mem.recall("Where is the office?"))) == {"old", "new"}
    mem.link(new.id, old.id, "supersedes")
    assert keys(mem.recall("Where is the office?")) == ["new"]
    mem.forget(new.id)
    assert keys(mem.recall("Where is the office?")) == ["old"]
    mem.acting_for("bo").add("The office is in Turin", visibility="private", key="private")
    assert keys(mem.recall("Where is the office?")) == ["old"]
    mem.restore(new.id)
    assert keys(mem.recall("Where is the office?")) == ["new"]
