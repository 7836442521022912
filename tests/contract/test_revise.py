"""Do facts follow a correction? What the old words said ends, what the new ones say begins; `undo` puts both back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.conftest import HandClock

from treering import Treering
from treering.errors import InvalidRequest

DAY = timedelta(days=1)


def facts(mem: Treering, **when: object) -> set[tuple[str, str, str]]:
    return {(one.subject, one.relation, one.object) for one in mem.facts(**when)}  # type: ignore[arg-type]


HOME = ("Ada", "LIVES_IN", "Berlin")
WORK = ("Ada", "WORKS_FOR", "Google")


@pytest.mark.parametrize(
    ("old", "new", "so"),
    [
        ("Ada lives in Berlin", "Ada lives in Paris", {("Ada", "LIVES_IN", "Paris")}),
        ("Ada lives in Berlin", "Bo lives in Berlin", {("Bo", "LIVES_IN", "Berlin")}),
        ("Ada lives in Berlin", "Ada does not live in Berlin", set()),
        ("Ada lives in Berlin", "Ada loves Paris", {("Ada", "LIKES", "Paris")}),
        ("Ada works at Google", "Ada visited Google", {("Ada", "VISITED", "Google")}),
        ("Ada works at Google", "Ada left Google", set()),
        ("Ada lives in Berlin", "Ada lives in Berlin in a small flat", {HOME}),
        ("Ada lives in Berlin. Ada works at Google.", "Ada lives in Berlin.", {HOME}),
        ("Ada lives in Berlin", "Ada lives in Berlin. Ada works at Google.", {HOME, WORK}),
    ],
)
def test_facts_are_those_of_the_new_wording(
    mem: Treering, clock: HandClock, old: str, new: str, so: set[tuple[str, str, str]]
) -> None:
    said = [("Ada", "LIVES_IN", "Berlin")] * ("Berlin" in old) + [("Ada", "WORKS_FOR", "Google")] * ("Google" in old)
    first = mem.add(old, triples=[list(one) for one in said])
    began = clock.now
    clock.advance(days=10)
    receipt = mem.revise(first.id, new)
    assert facts(mem) == so
    assert facts(mem, as_of=began + DAY) == set(said)
    assert {(one.source, one.relation, one.target) for one in receipt.closed} == set(said) - so
    assert all((one.rule, one.evidence) == ("revised", receipt.id) for one in receipt.closed)
    assert {(one.subject, one.relation, one.object) for one in receipt.memories[0].triples} == so
    clock.advance(days=1)
    mem.undo(str(receipt.seq))
    assert facts(mem) == set(said)
    assert mem.get(first.id).state == "active"


def test_what_was_told_and_read_is_corrected_with_its_fact(mem: Treering, clock: HandClock) -> None:
    told = mem.remember("Ada moved to Paris").memories
    clock.advance(days=3)
    home = next(one for one in told if one.triples)
    receipt = mem.revise(home.id, "Ada lives in Porto", event_time=home.valid_from)
    assert facts(mem) == {("Ada", "LIVES_IN", "Porto")}
    assert facts(mem, as_of=clock.now - DAY) == {("Ada", "LIVES_IN", "Porto")}
    assert facts(mem, as_of=clock.now - DAY, known_at=clock.now - DAY) == {("Ada", "LIVES_IN", "Paris")}
    assert {one.id for one in told} == set(receipt.superseded), "the move to Paris is over with where it led"
    mem.undo(str(receipt.seq))
    assert facts(mem) == {("Ada", "LIVES_IN", "Paris")}
    assert {mem.get(one.id).state for one in told} == {"active"}


def test_a_correction_takes_the_place_of_what_others_say_of_the_same(mem: Treering, clock: HandClock) -> None:
    """As if it were told: a person has one home, whoever has spoken of it."""
    mem.remember("Ada lives in Berlin")
    clock.advance(days=1)
    other = mem.remember("Ada works at Google").id
    clock.advance(days=1)
    mem.revise(other, "Ada lives in Paris")
    assert facts(mem) == {("Ada", "LIVES_IN", "Paris")}


def test_facts_told_by_hand_go_on_while_what_they_name_is_named(mem: Treering, clock: HandClock) -> None:
    by_hand = [["Ada", "MENTOR_OF", "Bo"], ["Ada", "HAS_SHOE_SIZE", "38"]]
    old = mem.add("Ada lives in Berlin with Bo", triples=[["Ada", "LIVES_IN", "Berlin"], *by_hand]).id
    clock.advance(days=1)
    new = mem.revise(old, "Ada lives in Paris with Bo").id
    stays = {("Ada", "MENTOR_OF", "Bo"), ("Ada", "HAS_SHOE_SIZE", "38")}
    assert facts(mem) >= {("Ada", "LIVES_IN", "Paris"), *stays}
    assert ("Ada", "LIVES_IN", "Berlin") not in facts(mem)
    assert [one.content for one in mem.list(entities=["Bo"])] == ["Ada lives in Paris with Bo"]
    clock.advance(days=1)
    mem.revise(new, "Ada lives in Paris, alone")
    assert facts(mem) == {("Ada", "LIVES_IN", "Paris"), ("Ada", "HAS_SHOE_SIZE", "38")}
    assert list(mem.list(entities=["Bo"])) == []


def test_the_one_who_said_i_still_says_it(mem: Treering, clock: HandClock) -> None:
    old = mem.remember("I live in Berlin.", speaker="Mia").id
    clock.advance(days=1)
    mem.revise(old, "I live in Paris.")
    assert facts(mem) == {("Mia", "LIVES_IN", "Paris")}


def test_the_same_words_with_other_tags_change_no_fact(mem: Treering, clock: HandClock) -> None:
    old = mem.add("As agreed", triples=[list(HOME)]).id
    clock.advance(days=1)
    receipt = mem.revise(old, "As agreed", tags=["home"])
    assert (facts(mem), receipt.closed, receipt.extractor) == ({HOME}, (), None)


@pytest.mark.parametrize("how", ["call", "space"])
def test_where_nobody_reads_facts_stay_as_they_are(mem: Treering, clock: HandClock, how: str) -> None:
    old = mem.add("Ada lives in Berlin", triples=[list(HOME)]).id
    clock.advance(days=1)
    if how == "space":
        mem.settings({"extractor": "none"})
    mem.revise(old, "Ada lives in Paris", **({"extractor": "none"} if how == "call" else {}))  # type: ignore[arg-type]
    assert facts(mem) == {HOME}


def test_facts_that_are_given_are_not_read(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Ada lives in Berlin", triples=[list(HOME)]).id
    clock.advance(days=1)
    mem.revise(old, "Ada lives in Paris", triples=[["Ada", "VISITED", "Paris"]])
    assert facts(mem) == {("Ada", "VISITED", "Paris")}


def test_a_rehearsal_tells_the_facts_and_writes_none(mem: Treering, clock: HandClock) -> None:
    old = mem.add("Ada lives in Berlin", triples=[list(HOME)]).id
    clock.advance(days=1)
    receipt = mem.revise(old, "Ada lives in Paris", dry_run=True)
    assert [one.target for one in receipt.closed] == ["Berlin"]
    assert facts(mem) == {HOME}


def test_who_is_to_read_must_be_somebody(mem: Treering) -> None:
    old = mem.add("Ada lives in Berlin").id
    with pytest.raises(InvalidRequest, match="extractor"):
        mem.revise(old, "Ada lives in Paris", extractor="nobody")  # type: ignore[arg-type]
