"""A statement that says several things, and its clauses, which are told by themselves too: one of them comes and goes
with what it stands in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.conftest import HandClock

import treering
from treering.door import Treering
from treering.ingest.add import NOTHING_READ, Adding
from treering.ingest.draft import Draft, Statement
from treering.ingest.hear import SharedFields
from treering.ingest.remember import Remembering
from treering.mind import turnreader
from treering.model.changes import Changes
from treering.model.memory import State
from treering.recall.index.space import SpaceIndex
from treering.store.contract import Act, Store

TEXT = "The hall smelled of paint. We ate outside on the steps."
CLAUSES = {"User: The hall smelled of paint.", "User: We ate outside on the steps."}


@pytest.fixture
def mem(clock: HandClock) -> Iterator[Treering]:
    with treering.open(":memory:", clock=clock, embedder="turnfinder-2", judge="turnreader") as opened:
        yield opened


def current(mem: Treering) -> set[str]:
    return {one.content for one in mem.list()}


def test_clauses_are_told_beside_their_statement_and_rest_on_their_own_words(mem: Treering) -> None:
    whole, *clauses = mem.remember(TEXT).memories
    assert whole.content == f"User: {TEXT}"
    assert {one.content for one in clauses} == CLAUSES
    assert {TEXT[slice(*mem.get(one.id).span)] for one in clauses} == {one.removeprefix("User: ") for one in CLAUSES}


def test_what_is_said_again_tells_no_clause_again(clock: HandClock) -> None:
    with treering.open(":memory:", clock=clock, embedder="turnfinder-2", judge="none") as mem:
        first = mem.remember(TEXT, session="one")
        clock.advance(days=3)
        again = mem.remember(TEXT, session="two")
        assert [one.memory_id for one in again.duplicates] == [first.memories[0].id]
        assert again.memories == ()
        assert current(mem) == {f"User: {TEXT}"} | CLAUSES


def test_what_is_corrected_takes_its_clauses_along(mem: Treering, clock: HandClock) -> None:
    whole, *clauses = mem.remember(TEXT).memories
    clock.advance(days=1)
    receipt = mem.revise(whole.id, content="User: The hall smelled of roses.")
    [new] = receipt.memories
    assert current(mem) == {new.content}
    for one in clauses:
        old = mem.get(one.id)
        assert (old.state, old.superseded_by) == (State.SUPERSEDED, new.id)
    mem.undo(receipt.seq)
    assert current(mem) == {f"User: {TEXT}"} | CLAUSES


def test_what_is_only_marked_otherwise_keeps_its_clauses(mem: Treering, clock: HandClock) -> None:
    whole, *_ = mem.remember(TEXT).memories
    clock.advance(days=1)
    mem.revise(whole.id, content=whole.content, tags=["holidays"])
    assert current(mem) == {f"User: {TEXT}"} | CLAUSES


STATES = "I work at Stripe on payments, my lamp flickers"
STATED = "User works at Stripe"


def test_a_statement_whose_place_is_taken_takes_its_clauses_along_but_not_what_holds_by_itself(
    clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    """What states a fact of its own stands or falls with the fact."""
    mem = Treering(new_store("sqlite"), clock=clock, space="lab")
    spans = {f"User: {STATES}": (0, len(STATES)), STATED: (0, 28), "User: my lamp flickers": (30, len(STATES))}
    whole, stated, clause = written(mem, spans)
    clock.advance(days=1)
    new = mem.add("User: all of that is over").memories[0]
    replaced = by_judge(mem, new.id, whole)
    assert replaced == {whole, clause}
    assert mem.get(stated).state is State.ACTIVE


def written(mem: Treering, spans: dict[str, tuple[int, int]]) -> list[str]:
    """Memories of one source, each with its stretch; what says who works where states it."""

    def planned(act: Act) -> tuple[Changes, list[str]]:
        adding = Adding(act)
        source = adding.source(Draft(content=STATES), STATES)
        ids = []
        for content, span in spans.items():
            triples = [Statement(subject="User", relation="WORKS_FOR", object="Stripe")] if content == STATED else []
            ids.append(adding.memory(source, Draft(content=content, triples=triples), span).id)
        return adding.whole("add", NOTHING_READ), ids

    return mem._write(None, planned, False)


def by_judge(mem: Treering, new: str, old: str) -> set[str]:
    """What makes way where the new takes the old one's place."""
    found: set[str] = set()

    def planned(act: Act) -> tuple[Changes, None]:
        remembering = Remembering(act, SharedFields(), lambda passage: ())
        by, over = act.reader.memory(new), act.reader.memory(old)
        assert by is not None
        assert over is not None
        remembering.relating.supersede(by, over, act.at, "replaced", 1.0, "judged")
        found.update(remembering.relating.superseded)
        return remembering.changes(NOTHING_READ), None

    mem._write(None, planned, False)
    return found


def test_what_is_forgotten_takes_its_clauses_along_and_brings_them_back(mem: Treering) -> None:
    whole, one, other = mem.remember(TEXT).memories
    mem.forget(one.id)
    hidden = mem.forget(whole.id)
    assert hidden.along == (other.id,)
    assert current(mem) == set()
    assert mem.recall("What did the hall smell of?").hits == ()
    assert mem.restore(whole.id).along == (other.id,)
    assert current(mem) == {f"User: {TEXT}", other.content}  # the one that was forgotten by itself stays so
    assert mem.restore(one.id).along == ()


def test_a_clause_is_forgotten_alone(mem: Treering) -> None:
    whole, one, other = mem.remember(TEXT).memories
    assert mem.forget(one.id).along == ()
    assert current(mem) == {whole.content, other.content}


def test_what_is_purged_takes_its_clauses_along(mem: Treering) -> None:
    whole, *clauses = mem.remember(TEXT).memories
    report = mem.purge(whole.id, "asked to")
    assert set(report.memories) == {whole.id, *(one.id for one in clauses)}
    assert list(mem.list()) == []


def test_a_purged_clause_leaves_the_statement_that_says_more(mem: Treering) -> None:
    _, clause, _ = mem.remember(TEXT).memories
    assert mem.purge(clause.id, "asked to").memories == (clause.id,)


def test_a_statement_and_its_clauses_are_no_cluster(mem: Treering) -> None:
    mem.remember(TEXT)
    assert mem.cluster(threshold=0.4).clusters == ()


def test_nobody_judges_a_clause_again(mem: Treering, clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its statement was judged."""
    mem.remember("The hall smelled of paint.")
    clock.advance(days=1)
    asked = []
    judge = turnreader.TurnReader.judge
    monkeypatch.setattr(turnreader.TurnReader, "judge", lambda self, pairs: asked.extend(pairs) or judge(self, pairs))
    mem.remember(TEXT)
    assert {one.newer for one in asked} == {f"User: {TEXT}"}


def test_what_was_said_before_and_after_a_clause_is_what_was_said_beside_its_statement(
    clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    store = new_store("sqlite")
    mem = Treering(store, clock=clock, space="lab")
    for text in ("the garage opens at eight", TEXT, "the depot is in Marrow Lane"):
        mem.remember(text, session="one")
        clock.advance(minutes=1)
    index = SpaceIndex("lab")
    index.follow(store)
    said = [mem.get(one).content for one in index.ids]
    beside = {
        said[number]: [said[other] if other >= 0 else None for other in (previous, following)]
        for number, (previous, following) in enumerate(zip(index["previous"], index["following"], strict=True))
    }
    assert beside[f"User: {TEXT}"] == ["User: the garage opens at eight", "User: the depot is in Marrow Lane"]
    assert all(beside[one] == ["User: the garage opens at eight", None] for one in CLAUSES)
    assert beside["User: the depot is in Marrow Lane"][0] == f"User: {TEXT}"


def test_what_is_written_later_is_no_clause_though_the_same_words_were_said_then(
    clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    """An index out of a file knows nothing of the writes before it."""
    store = new_store("sqlite")
    mem = Treering(store, clock=clock, space="lab")
    at = clock.now
    for text in (TEXT, "We ate outside on the steps."):
        clock.advance(minutes=1)
        mem.remember(text, session="one", at=at)
    index = SpaceIndex("lab")
    index.follow(store)
    assert index["previous"].tolist() == [-1, -1, -1, 0]
