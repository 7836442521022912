"""Does a memory know whether what it rests on still holds? At any moment, through any number of steps."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from tests.conftest import START, Doors, HandClock
from tests.graph.derivations import DEEPEST, HOUR, Deriving, Script, scripts

from treering.door import Treering
from treering.model.memory import Support
from treering.store.support import SupportLoss

_ALL = [HealthCheck.too_slow, HealthCheck.data_too_large]
FAST = settings(max_examples=30, deadline=None, derandomize=True, print_blob=True, suppress_health_check=_ALL)
SLOW = settings(max_examples=600, deadline=None, print_blob=True, suppress_health_check=_ALL)


def check(script: Script, url: str) -> None:
    """Every answer at every moment of the script, and at the present, is what the plain account says."""
    deriving = Deriving(url)
    with deriving.mem as mem:
        deriving.run(script)
        moments = [(START + hours * HOUR, *deriving.known(back)) for hours, back in script.moments]
        for as_of, known_at, world in [(deriving.clock.now, *deriving.known(0)), *moments]:
            expected = deriving.expected(as_of, world)
            listed = mem.list(view="all", as_of=as_of, known_at=known_at, limit=1000)
            assert {one.id: one.support.value for one in listed} == expected
            last = max(expected, default=None)
            if last is not None:
                assert mem.get(last, as_of=as_of, known_at=known_at).support == expected[last]
            stale = mem.stale(as_of=as_of, known_at=known_at, limit=1000)
            held = {one.id for one in mem.list(as_of=as_of, known_at=known_at, limit=1000)}
            assert {one.memory.id for one in stale} == {
                one for one, support in expected.items() if support == "stale" and one in held
            }
            for one in stale:
                assert one.because
                for cause in one.because:
                    fell = cause.path[0] == one.memory.id and cause.path[-1] == cause.memory_id
                    gone = world.fallen(cause.memory_id, as_of) or cause.what is SupportLoss.INVALIDATED
                    assert (fell, gone) == (True, True)


@FAST
@given(script=scripts(memories=9, happenings=10))
@pytest.mark.parametrize("url", ["reference:", ":memory:"])
def test_what_rests_on_something_fallen_is_stale_and_nothing_else_is(url: str, script: Script) -> None:
    check(script, url)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@SLOW
@given(script=scripts(memories=16, happenings=24))
@pytest.mark.parametrize("url", ["reference:", ":memory:"])
def test_what_rests_on_something_fallen_is_stale_in_large_graphs_too(url: str, script: Script) -> None:
    check(script, url)


@pytest.fixture
def chain(mem: Treering, clock: HandClock) -> list[str]:
    """Each derived from the one before it, the origin first."""
    ids = [mem.add("Statement 0", expires_at=START + timedelta(days=30)).id]
    for step in range(1, DEEPEST + 1):
        clock.advance(hours=1)
        ids.append(mem.add(f"Statement {step}").id)
        mem.link(ids[-1], ids[-2], "derived_from")
    clock.advance(hours=1)
    return ids


def supports(mem: Treering, ids: list[str], **moment: object) -> list[str]:
    return [mem.get(one, **moment).support.value for one in ids]  # type: ignore[arg-type]


def test_what_happens_to_the_origin_shakes_all_eight_that_rest_on_it_and_undoing_it_settles_them(
    mem: Treering, clock: HandClock, chain: list[str]
) -> None:
    firm, shaken = ["unknown", *["current"] * DEEPEST], ["unknown", *["stale"] * DEEPEST]
    assert supports(mem, chain) == firm
    before = clock.now
    clock.advance(hours=1)
    mem.forget(chain[0], why="asked to")
    clock.advance(hours=1)
    assert supports(mem, chain) == shaken
    assert supports(mem, chain, known_at=before) == firm
    mem.restore(chain[0])
    assert supports(mem, chain) == firm
    newer = mem.add("Another statement").id
    link = mem.link(newer, chain[0], "supersedes", valid_from=clock.now + timedelta(days=1))
    assert supports(mem, chain) == firm
    assert supports(mem, chain, as_of=clock.now + timedelta(days=2)) == shaken
    assert supports(mem, chain, as_of=clock.now + timedelta(days=2), known_at=before) == firm
    mem.unlink(newer, chain[0], "supersedes")
    assert link.created
    assert supports(mem, chain, as_of=clock.now + timedelta(days=2)) == firm
    clock.now = START + timedelta(days=30)
    assert supports(mem, chain) == shaken
    assert supports(mem, chain, as_of=clock.now - timedelta(microseconds=1)) == firm


def test_a_derivation_in_the_middle_that_is_closed_shakes_only_what_is_above_it(
    mem: Treering, clock: HandClock, chain: list[str]
) -> None:
    mem.invalidate(chain[5], chain[4], "derived_from", why="a slip")
    shaken = [*["unknown"], *["current"] * 4, *["stale"] * 4]
    assert supports(mem, chain) == shaken
    assert supports(mem, chain, as_of=clock.now - timedelta(microseconds=1)) == ["unknown", *["current"] * 8]
    [nearest, *_] = mem.stale()
    assert (nearest.memory.id, nearest.because[0].what, nearest.because[0].why) == (
        chain[5],
        SupportLoss.INVALIDATED,
        "a slip",
    )
    mem.reopen(chain[5], chain[4], "derived_from")
    assert supports(mem, chain) == ["unknown", *["current"] * 8]


def test_a_derivation_that_was_closed_and_stated_anew_holds_from_then_on(
    mem: Treering, clock: HandClock, chain: list[str]
) -> None:
    mem.invalidate(chain[5], chain[4], "derived_from")
    closed = clock.now
    clock.advance(hours=1)
    mem.link(chain[5], chain[4], "derived_from", valid_from=clock.now)
    assert supports(mem, chain) == ["unknown", *["current"] * 8]
    assert supports(mem, chain, as_of=closed) == ["unknown", *["current"] * 4, *["stale"] * 4]


def test_a_fact_that_no_longer_holds_shakes_what_was_derived_from_the_memory_that_says_so(
    mem: Treering, clock: HandClock
) -> None:
    job = mem.add("Ada works at Google", triples=[["Ada", "WORKS_FOR", "Google"]])
    summary = mem.add("Ada is in the search business").id
    mem.link(summary, job.id, "derived_from")
    clock.advance(days=1)
    mem.invalidate("Ada", "Google", "WORKS_FOR", why="left")
    [stale] = mem.stale()
    assert (stale.memory.id, stale.memory.support) == (summary, Support.STALE)
    [cause] = stale.because
    assert (cause.memory_id, cause.what, cause.rule, cause.why) == (
        job.id,
        SupportLoss.INVALIDATED,
        "invalidated",
        "left",
    )
    assert cause.path == (summary, job.id)


def test_a_fact_that_was_said_with_its_end_shakes_nothing_when_that_has_come(mem: Treering, clock: HandClock) -> None:
    stay = {"subject": "Ada", "relation": "VISITED", "object": "Rome", "valid_until": clock.now + timedelta(days=2)}
    trip = mem.add("Ada is in Rome for two days", triples=[stay]).id
    summary = mem.add("Ada likes to travel").id
    mem.link(summary, trip, "derived_from")
    clock.advance(days=10)
    assert mem.facts(subject="Ada") == []
    assert mem.get(summary).support is Support.CURRENT


def test_what_made_a_memory_stale_is_told_with_its_reason_and_the_way_there(
    mem: Treering, clock: HandClock, chain: list[str]
) -> None:
    newer = mem.revise(chain[2], "Statement two", why="better known")
    clock.advance(hours=1)
    mem.forget(chain[0], why="asked to")
    clock.advance(hours=1)
    stale = {one.memory.id: one.because for one in mem.stale()}
    assert list(stale) == [chain[1], *chain[3:]]
    first, second = stale[chain[4]]
    assert (first.memory_id, first.what, first.by, first.content) == (
        chain[2],
        SupportLoss.SUPERSEDED,
        newer.id,
        "Statement 2",
    )
    assert first.path == (chain[4], chain[3], chain[2])
    assert (second.memory_id, second.what, second.why, second.content) == (
        chain[0],
        SupportLoss.FORGOTTEN,
        "asked to",
        None,
    )
    assert second.at == clock.now - timedelta(hours=1)


def test_recall_shows_whether_what_a_hit_rests_on_still_holds(mem: Treering, clock: HandClock) -> None:
    origin = mem.add("The bridge at Mostar is open").id
    derived = mem.add("Lorries can take the bridge at Mostar").id
    mem.link(derived, origin, "derived_from")
    clock.advance(hours=1)

    def shown() -> dict[str, str]:
        return {hit.memory.id: hit.support.value for hit in mem.recall("bridge at Mostar")}

    assert shown() == {origin: "unknown", derived: "current"}
    mem.forget(origin)
    assert shown() == {derived: "stale"}
    assert {hit.support for hit in mem.recall("bridge at Mostar", known_at=clock.now - timedelta(minutes=1))} == {
        Support.UNKNOWN,
        Support.CURRENT,
    }


def test_what_is_private_to_others_neither_supports_nor_shakes(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("Ada is ill", visibility="private").id
    derived = ann.add("Ada will be away").id
    ann.link(derived, secret, "derived_from")
    assert (ann.get(derived).support, bob.get(derived).support) == (Support.CURRENT, Support.UNKNOWN)
    clock.advance(hours=1)
    ann.forget(secret)
    assert (ann.get(derived).support, bob.get(derived).support) == (Support.STALE, Support.UNKNOWN)
    assert [one.memory.id for one in ann.stale()] == [derived]
    assert bob.stale() == []
