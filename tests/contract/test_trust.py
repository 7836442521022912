"""What may be taken in, and what stays unsaid: forged journals are refused, and a purged secret stays one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.conftest import Doors, HandClock

import treering
from treering.errors import Conflict, NotFound
from treering.model.identity import Identity
from treering.store import open_store


def signed_journal(tmp_path: Path, clock: HandClock) -> Path:
    door = treering.Treering(open_store("reference:"), clock=clock, actor="ann", identity=Identity.generate())
    for content in ("one", "two", "three"):
        door.add(content, triples=[("Ann", "KNOWS", content)])
        clock.advance(hours=1)
    path = tmp_path / "signed.jsonl"
    door.export(str(path))
    return path


def forged(path: Path, line: int, **fields: object) -> str:
    lines = [json.loads(text) for text in path.read_text("utf-8").splitlines()]
    lines[line].update(fields)
    lines[line] = {name: value for name, value in lines[line].items() if value is not None}
    other = path.with_name("forged.jsonl")
    other.write_text("\n".join(json.dumps(one) for one in lines) + "\n", "utf-8")
    return str(other)


def test_a_signed_journal_is_taken_in_whole(mem: treering.Treering, tmp_path: Path, clock: HandClock) -> None:
    mem.import_journal(str(signed_journal(tmp_path, clock)))
    assert mem.verify().signatures["self_signed"] == 3


@pytest.mark.parametrize("line", [0, 2])
def test_a_journal_whose_signature_is_missing_or_anothers_is_refused_whole(
    mem: treering.Treering, tmp_path: Path, clock: HandClock, line: int
) -> None:
    path = signed_journal(tmp_path, clock)
    other = json.loads(path.read_text("utf-8").splitlines()[1])["signature"]
    for signature, said in ((None, "is missing"), (other, "does not hold")):
        with pytest.raises(Conflict, match=said):
            mem.import_journal(forged(path, line, signature=signature))
    assert mem.spaces() == []


def test_others_do_not_learn_that_a_private_memory_was_purged(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("The lair", visibility="private", entities=["Lair"]).id
    public = ann.add("The park", entities=["Park"]).id
    for one in (secret, public):
        ann.purge(one, "no longer wanted")
    never = "01900000-0000-7000-8000-000000000000"
    for ask in (bob.get, bob.history, bob.forget):
        with pytest.raises(NotFound) as told:
            ask(secret)
        with pytest.raises(NotFound) as untold:
            ask(never)
        assert str(told.value).replace(secret, never) == str(untold.value)
    assert bob.history(public).state == "purged"


def test_merging_again_what_is_merged_changes_nothing(mem: treering.Treering) -> None:
    for name in ("Ann", "Anna"):
        mem.entity_register(name)
    first = mem.entity_merge("Anna", "Ann")
    again = mem.entity_merge("Anna", "Ann")
    assert (first.changed, again.changed) == (True, False)
    assert (again.entity_id, again.into_id) == (first.entity_id, first.into_id)
    assert mem.status().seq == 3


def test_what_is_said_of_a_merged_name_goes_with_it_when_they_are_split(mem: treering.Treering) -> None:
    for name in ("Ann", "Anna"):
        mem.entity_register(name)
    merged = mem.entity_merge("Anna", "Ann").entity_id
    said = mem.add("Anna likes tea", triples=[("Anna", "LIKES", "tea")])
    assert said.entities[0].name == "Ann"
    assert [fact.subject for fact in mem.facts()] == ["Ann"]
    mem.entity_split(merged)
    assert [fact.subject for fact in mem.facts()] == ["Anna"]
    assert len(mem.list(entities=["Anna"])) == 1
    assert len(mem.list(entities=["Ann"])) == 0


def test_restoring_never_lets_two_memories_supersede_each_other(mem: treering.Treering) -> None:
    a, b = mem.add("tea").id, mem.add("coffee").id
    untied = mem.link(a, b, "supersedes").edge.id
    mem.unlink(a, b, "supersedes")
    mem.link(b, a, "supersedes")
    with pytest.raises(Conflict, match="both ways"):
        mem.restore(untied)
    assert [memory.id for memory in mem.list()] == [b]

    c, d = mem.add("milk").id, mem.add("oats").id
    mem.link(c, d, "supersedes")
    mem.forget(c)
    with pytest.raises(Conflict, match="both ways"):  # it may come back
        mem.link(d, c, "supersedes")
    mem.restore(c)
    assert d not in [memory.id for memory in mem.list()]


def test_a_fact_that_a_revision_states_again_goes_on_and_is_not_said_twice(
    mem: treering.Treering, clock: HandClock
) -> None:
    friend, square, stripe = (
        ("Sam", "FRIEND_OF", "Alex"),
        ("Alex", "WORKS_FOR", "Square"),
        ("Alex", "WORKS_FOR", "Stripe"),
    )
    began = clock.now
    first = mem.add("Alex, Sam's friend, is at Square", triples=[friend, square]).id
    clock.advance(days=1)
    revised = mem.revise(first, "Alex, Sam's friend, is at Stripe", triples=[friend, stripe])
    now = {(fact.subject, fact.relation, fact.object): fact.valid_from for fact in mem.facts()}
    assert now == {friend: began, stripe: clock.now}
    assert len(mem.facts()) == 2
    assert [one.valid_from for one in revised.memories[0].triples] == [began, clock.now]
    then = mem.facts(as_of=began, include_closed=False)
    assert {(fact.subject, fact.relation, fact.object) for fact in then} == {friend, square}
