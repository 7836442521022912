"""Does an index find exactly what a reader shows? What a view hides and what mentions whom, after random histories.

An index knows every text of a space with its own times. Less what the reader says is hidden, and less what their own
times leave out, the texts must be just the memories that the reader itself would list.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.property.answers import Known
from tests.property.drawing import ACTORS, NOBODY, SPACES, Op, Question, Ref, at
from tests.property.histories import IDENTITY, Drawn, histories, sweep
from tests.property.twins import Different, Twins, pair

from treering.model.changes import Changes, Marked, Thing
from treering.model.embedding import Embedded
from treering.model.memory import Mark, View
from treering.model.time import MICROSECOND, to_micros
from treering.store.contract import MemoryFilter, Reader, Scope, Store, Writer

_ALL = [HealthCheck.too_slow, HealthCheck.data_too_large]
FAST = settings(max_examples=10, deadline=None, derandomize=True, print_blob=True, suppress_health_check=_ALL)
SLOW = settings(max_examples=400, deadline=None, print_blob=True, suppress_health_check=_ALL)
EMBEDDERS = ("small@1", "large@2")


@dataclass(frozen=True)
class Aside:
    """What no door does yet, after the operation of this number: the nth memory is archived or taken back, or an
    embedder reads the next few things."""

    after: int
    what: str
    n: int
    space: str = SPACES[0]


_asides = st.lists(
    st.builds(
        Aside,
        st.integers(0, 16),
        st.sampled_from(("archive", "archive", "promote", "read", "drop")),
        st.integers(0, 11),
        st.sampled_from((SPACES[0], SPACES[0], SPACES[1])),
    ),
    max_size=8,
).map(tuple)


class Living:
    """A history on the reference and on SQLite, with what happens beside it."""

    def __init__(self, twins: Twins) -> None:
        self.twins = twins
        self._marked: set[tuple[str, Mark]] = set()

    def live(self, ops: tuple[Op, ...], asides: tuple[Aside, ...]) -> None:
        for number, op in enumerate(ops):
            self.twins.run(op)
            for aside in asides:
                if aside.after == number:
                    self._beside(aside)

    def _beside(self, aside: Aside) -> None:
        embedder = EMBEDDERS[aside.n % 2]
        match aside.what:
            case "archive":
                self._mark(aside, Mark.ARCHIVED)
            case "promote":
                self._mark(aside, Mark.PROMOTED)
            case "read":
                for store in self.twins.stores.values():
                    unread = store.unread(aside.space, embedder, aside.n)
                    store.keep_vectors(
                        aside.space, [Embedded(one.thing_id, embedder, one.text.encode()) for one in unread]
                    )
            case "drop":
                for store in self.twins.stores.values():
                    store.drop_vectors(aside.space, embedder)

    def _mark(self, aside: Aside, mark: Mark) -> None:
        memory_id = self.twins.known.pick("memory", aside.n, aside.space)
        if memory_id is None or memory_id in self.twins.known.purged:
            return
        on = (memory_id, mark) not in self._marked
        self._marked ^= {(memory_id, mark)}
        for store in self.twins.stores.values():
            changes = Changes("mark", (Marked(Thing.MEMORY, memory_id, mark, on),))
            store.write(aside.space, Writer(ACTORS[0]), self.twins.clock.now, lambda *_, changes=changes: changes)
        self.twins._learn()


@contextmanager
def lived(drawn: Drawn, asides: tuple[Aside, ...] = ()) -> Iterator[Twins]:
    twins = pair(identity=IDENTITY if drawn.signed else None)
    try:
        Living(twins).live(drawn.ops, asides)
        yield twins
    finally:
        twins.close()


# what an index would show


def found_by_index(store: Store, reader: Reader, view: View) -> set[str]:
    as_of = to_micros(reader.moment.as_of)
    known_at = None if reader.moment.known_at is None else to_micros(reader.moment.known_at)
    hidden = reader.hidden(view).ids
    return {
        text.id
        for space in reader.spaces
        for text in store.texts(space)
        if text.id not in hidden
        and (known_at is None or text.recorded_at <= known_at)
        and (view is View.ALL or text.valid_from <= as_of)
        and (view is not View.CURRENT or text.expires_at > as_of)
    }


def check_hidden(name: str, store: Store, scope: Scope) -> None:
    with store.reader(scope) as first:
        for reader in (first, first.all_seeing()):
            for view in View:
                shown = {memory.id for memory in reader.memories(MemoryFilter(view=view))}
                found = found_by_index(store, reader, view)
                if found != shown:
                    raise Different(
                        f"{name} {view} at {scope}: an index would show {found - shown} and miss {shown - found}"
                    )


def check_until(store: Store, scope: Scope, points: set[datetime]) -> int:
    """What is hidden is so until the moment it says; answers at how many later moments that was seen."""
    seen = 0
    for view in View:
        with store.reader(scope) as reader:
            hidden, as_of = reader.hidden(view), reader.moment.as_of
        if hidden.until is not None and hidden.until <= as_of:
            raise Different(f"{view} at {scope}: is hidden until {hidden.until}, which is over")
        later = {point + shift * MICROSECOND for point in points for shift in (-1, 0, 1)}
        later |= {hidden.until - MICROSECOND} if hidden.until is not None else {max(later).replace(year=2100)}
        for moment in sorted(later):
            if as_of <= moment and (hidden.until is None or moment < hidden.until):
                with store.reader(replace(scope, as_of=moment)) as reader:
                    then = reader.hidden(view).ids
                if then != hidden.ids:
                    raise Different(
                        f"{view} at {scope}: hidden until {hidden.until}, but at {moment} {then} are, not {hidden.ids}"
                    )
                seen += 1
    return seen


def check_mentions(name: str, store: Store, scope: Scope, entities: list[str]) -> None:
    pairs = [(one,) for one in entities] + list(pairwise(entities)) + [(), tuple(entities)]
    with store.reader(scope) as first:
        for reader in (first, first.all_seeing()):
            for some in pairs:
                expected = {one.id for one in reader.memories(MemoryFilter(view=View.ALL, entity_ids=some))}
                found = reader.mentioning(iter(some))
                if found != expected:
                    raise Different(f"{name} at {scope}: {some} is mentioned by {found}, not {expected}")


def _mentions(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    for one in known.ids("entity"):
        yield f"mentioning {one}", reader.mentioning((one,))
    for some in (known.ids("memory"), known.ids("memory")[:1], []):
        yield f"mentioned by {some}", sorted(reader.mentioned(some))


def check_kept(twins: Twins) -> None:
    """Texts, vectors with their places, and all that is told about them, alike on every store."""
    for space in (*SPACES, "nowhere"):
        right, *others = (_kept(store, space) for store in twins.stores.values())
        for other in others:
            if other != right:
                raise Different(f"kept in {space}\n  reference: {right}\n  sqlite: {other}")


def _kept(store: Store, space: str) -> dict[str, Any]:
    texts = list(store.texts(space))
    return {
        "texts": texts,
        "some texts": list(store.texts(space, texts[len(texts) // 2].recorded_at)) if texts else [],
        "embedders": store.embedders(space),
        "purges": store.purges(space),
        **{f"vectors of {one}": list(store.vectors(space, one)) for one in EMBEDDERS},
        **{f"unread by {one}": store.unread(space, one, 1000) for one in EMBEDDERS},
        **{f"first unread by {one}": store.unread(space, one, 2) for one in EMBEDDERS},
    }


def check(drawn: Drawn, asides: tuple[Aside, ...]) -> None:
    with lived(drawn, asides) as twins:
        check_kept(twins)
        scopes = [twins.scope(question) for question in (*drawn.asked, *sweep())]
        for scope in scopes:
            for name, store in twins.stores.items():
                check_hidden(name, store, scope)
            # the reference answers both questions with the same code
            check_mentions("sqlite", twins.stores["sqlite"], scope, twins.known.ids("entity"))
            twins.compare(scope, _mentions)
        for scope in scopes[: len(drawn.asked)]:
            check_until(twins.stores["sqlite"], scope, {*twins.known.valid, *twins.known.known})
        before = {space: _kept(twins.stores["sqlite"], space) for space in SPACES}
        twins.rebuild()
        if {space: _kept(twins.stores["sqlite"], space) for space in SPACES} != before:
            raise Different("rebuilding changed what is kept for the indexes")
        twins.verify()


@FAST
@given(drawn=histories(most=16), asides=_asides)
def test_what_is_not_hidden_is_what_is_shown_after_any_history(drawn: Drawn, asides: tuple[Aside, ...]) -> None:
    check(drawn, asides)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@SLOW
@given(drawn=histories(most=40), asides=_asides)
def test_what_is_not_hidden_is_what_is_shown_after_long_histories(drawn: Drawn, asides: tuple[Aside, ...]) -> None:
    check(drawn, asides)


# histories in which every reason to hide a memory comes up


_MANY = (
    Op("add", {"content": "Ann works for Acme", "entities": ["Ann", "Acme"], "at": at(-4)}),
    Op("add", {"content": "Ann lives in Berlin", "entities": ["Ann"], "at": at(-3), "expires_at": at(6)}),
    Op("add", {"content": "Ben", "visibility": "private", "visible_to": ["ben"], "entities": ["Ben"], "at": at(-3)}),
    Op("add", {"content": "tea, not coffee", "at": at(-3)}),
    Op("add", {"content": "Ben met Zoë at 3 pm", "at": at(-3)}),
    Op("clock", {"hours": 1, "micros": 0}),
    Op("link", {"source": Ref("memory", 3), "target": Ref("memory", 0), "relation": "supersedes", "valid_from": at(3)}),
    Op("link", {"source": Ref("memory", 4), "target": Ref("memory", 3), "relation": "supersedes", "valid_from": at(0)}),
    Op("invalidate", {"edge": Ref("edge", 4), "at": at(4)}),
    Op("clock", {"hours": 1, "micros": 0}),
    Op("forget", {"id": Ref("memory", 4)}),
    Op("clock", {"hours": 1, "micros": 0}),
    Op("restore", {"id": Ref("memory", 4)}),
    Op("entity_merge", {"entity": "Acme", "into": "Ann"}),
)
_ARCHIVING = (Aside(5, "archive", 1), Aside(8, "archive", 0), Aside(10, "promote", 3), Aside(10, "read", 5))


def test_every_reason_to_hide_a_memory_is_met_at_every_turn() -> None:
    moments = tuple(
        Question(n, known, who) for n in range(25) for known in (None, 0, 6, 8, 10) for who in ("ann", "eve")
    )
    with lived(Drawn(_MANY, moments, 0), _ARCHIVING) as twins:
        hidden: set[str] = set()
        turns: set[datetime | None] = set()
        seen = 0
        points = {*twins.known.valid, *twins.known.known}
        for scope in map(twins.scope, moments):
            for name, store in twins.stores.items():
                check_hidden(name, store, scope)
            seen += check_until(twins.stores["sqlite"], scope, points)
            with twins.stores["sqlite"].reader(scope) as reader:
                for view in View:
                    hidden |= reader.hidden(view).ids
                    turns.add(reader.hidden(view).until)
        for scope in (twins.scope(moment) for moment in moments[:20]):
            check_mentions("sqlite", twins.stores["sqlite"], scope, twins.known.ids("entity"))
            twins.compare(scope, _mentions)
        assert hidden == set(twins.known.ids("memory")) - {NOBODY}
        assert {at(0), at(3), at(4), None} <= turns
        assert seen > 1000
