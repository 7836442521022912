"""What does an index learn of a memory? Its text with all that recall weighs, in order of known time, whoever may see
it; how many purges there were; and what a view hides, and until when."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.conftest import HandClock, scope, write_a_life
from tests.contract.vectors import LARGE, NOBODY, SMALL, kept, read, tell, unread
from tests.contract.writing import ANN

from treering.door import Treering
from treering.model.changes import Changes, Marked, Thing
from treering.model.memory import Kind, Mark, View
from treering.model.time import to_micros
from treering.store.contract import Store, Text

FOREVER = (1 << 63) - 1


def test_a_text_has_all_that_an_index_learns_of_a_memory(mem: Treering, store: Store, clock: HandClock) -> None:
    told = mem.add(
        "Ada bakes bread",
        kind="episode",
        title="Baking",
        tags=["home", "Ärger"],
        importance=0.25,
        confidence=0.75,
        event_time="2020-03-01T08:00:00Z",
        event_end="2020-03-01T09:00:00Z",
        expires_at="2030-01-01T00:00:00Z",
        at="2021-01-01T00:00:00Z",
        speaker="Ada",
        session="s1",
    ).id
    plain = mem.add("Plain").id
    point = lambda text: to_micros(datetime.fromisoformat(text))  # noqa: E731
    first, second = store.texts("lab")
    assert first == Text(
        id=told,
        content="Ada bakes bread",
        title="Baking",
        tags=("home", "Ärger"),
        kind=Kind.EPISODE.value,
        importance=0.25,
        confidence=0.75,
        event_time=point("2020-03-01T08:00:00+00:00"),
        event_end=point("2020-03-01T09:00:00+00:00"),
        said_at=point("2021-01-01T00:00:00+00:00"),
        recorded_at=to_micros(clock.now),
        valid_from=point("2020-03-01T08:00:00+00:00"),
        expires_at=point("2030-01-01T00:00:00+00:00"),
        speaker="Ada",
        session="s1",
    )
    known = to_micros(clock.now) + 1
    assert type(second) is Text
    assert second._replace(importance=0, confidence=0) == Text(
        plain, "Plain", None, (), "semantic", 0, 0, None, None, known - 1, known, known - 1, FOREVER, None, None
    )


def test_texts_come_in_order_of_known_time_whoever_may_see_them(mem: Treering, store: Store, clock: HandClock) -> None:
    told = write_a_life(mem, clock)
    clock.advance(days=-3)
    batch = [memory.id for memory in mem.add_many([{"content": f"Batch {n}"} for n in range(5)]).memories]
    texts = list(store.texts("lab"))
    assert [text.id for text in texts] == [
        told.job, told.home, told.tea, told.new_home, told.plan, told.secret, *sorted(batch),
    ]  # fmt: skip
    order = [(text.recorded_at, text.id) for text in texts]
    assert order == sorted(order)
    for text in texts:
        later = [one for one in texts if one.recorded_at > text.recorded_at]
        assert list(store.texts("lab", text.recorded_at)) == later
        assert set(store.texts("lab", after=text.recorded_at - 1)) >= {text, *later}
    assert list(store.texts("lab", after=texts[-1].recorded_at)) == []
    assert list(store.texts("nowhere")) == []


def test_a_purged_memory_is_no_longer_a_text_and_its_neighbour_on_a_blanked_source_is_as_it_was(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    home, code, tea = tell(store, clock, "Ada lives in Berlin.", "Her code is 8142!", "She likes tea.")
    before = {text.id: text for text in store.texts("lab")}
    clock.advance(hours=1)
    assert mem.purge(code, "asked to").sources_blanked
    assert list(store.texts("lab")) == [before[home], before[tea]]
    assert before[home].speaker == "Ada"
    assert kept(store) == [home, tea]
    assert unread(store, LARGE) == [home, tea]
    mem.purge(home, "asked to")
    assert list(store.texts("lab")) == [before[tea]]
    mem.purge(tea, "asked to")
    assert list(store.texts("lab")) == []


def test_purges_count_all_that_went(mem: Treering, store: Store, new_store: Callable[[str], Store]) -> None:
    assert store.purges("lab") == 0
    gone = mem.add("Ada has a vault", entities=["Vault"]).id
    again = mem.add("Else").id
    assert store.purges("lab") == 0
    report = mem.purge(gone, "asked to")
    went = len(report.memories) + len(report.sources) + len(report.entities) + len(report.edges)
    assert went == 4
    assert store.purges("lab") == went
    assert mem.purge(again, "asked to", dry_run=True).memories
    assert store.purges("lab") == went
    mem.purge(again, "asked to")
    assert store.purges("lab") == went + 2
    store.rebuild("lab")
    assert store.purges("lab") == went + 2
    for kind in ("reference", "sqlite"):
        other = new_store(kind)
        other.replay(store.entries("lab"))
        assert other.purges("lab") == went + 2


@pytest.mark.parametrize("store_url", ["reference", "sqlite"], indirect=True)  # :memory: has one connection for both
def test_a_snapshot_goes_on_telling_what_was_kept_then(mem: Treering, store: Store, clock: HandClock) -> None:
    first, gone = tell(store, clock, "One", "Two")
    clock.advance(hours=1)
    with store.snapshot() as held:
        before = _all_kept(held)
        tell(store, clock, "Three")
        mem.purge(gone, "asked to")
        store.keep_vectors("lab", [read(first, LARGE)])
        store.drop_vectors("lab", SMALL)
        assert _all_kept(held) == before
    assert _all_kept(store) != before
    assert [text.content for text in store.texts("lab")] == ["One", "Three"]


def _all_kept(held: Any) -> list[object]:
    return [
        list(held.texts("lab")),
        list(held.vectors("lab", SMALL)),
        held.embedders("lab"),
        held.purges("lab"),
        held.unread("lab", SMALL, 10),
        held.unread("lab", LARGE, 10),
    ]


def hidden(store: Store, clock: HandClock, view: View = View.CURRENT, **more: Any) -> tuple[set[str], datetime | None]:
    with store.reader(scope(clock, **more)) as reader:
        found = reader.hidden(view)
    assert type(found.ids) is frozenset
    return set(found.ids), found.until


def test_what_is_hidden_is_so_until_a_memory_is_superseded_or_no_longer_is(
    new_store: Callable[[str], Store], clock: HandClock
) -> None:
    """The reference answers for the moment alone; a table can say when the next turn comes."""
    store = new_store("sqlite")
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    old, new = mem.add("Old").id, mem.add("New").id
    assert hidden(store, clock) == (set(), None)
    begins, ends = clock.now + timedelta(days=1), clock.now + timedelta(days=9)
    mem.link(new, old, "supersedes", valid_from=begins)
    assert hidden(store, clock) == (set(), begins)
    assert hidden(store, clock, as_of=begins) == ({old}, None)
    mem.invalidate(new, old, "supersedes", at=ends)
    assert hidden(store, clock, as_of=begins) == ({old}, ends)
    assert hidden(store, clock, as_of=ends) == (set(), None)
    assert hidden(store, clock, View.HISTORY, as_of=begins)[0] == set()
    assert hidden(store, clock, View.ALL) == (set(), None)


def test_an_archived_memory_is_hidden_from_the_past_until_it_expires(
    new_store: Callable[[str], Store], clock: HandClock
) -> None:
    """From then on it is shown as expired, which is the stronger state."""
    store = new_store("sqlite")
    mem = Treering(store, clock=clock, actor="ann", space="lab")
    expires = clock.now + timedelta(days=1)
    plain, archived = mem.add("Plain", expires_at=expires - timedelta(hours=1)).id, mem.add("A", expires_at=expires).id
    mark = Marked(Thing.MEMORY, archived, Mark.ARCHIVED, True)
    store.write("lab", ANN, clock.now, lambda reader, at: Changes("archive", (mark,)))
    assert hidden(store, clock, View.HISTORY) == ({archived}, expires)
    assert hidden(store, clock, View.HISTORY, as_of=expires) == (set(), None)
    assert hidden(store, clock, View.CURRENT) == ({archived}, None)
    assert plain not in hidden(store, clock, View.CURRENT, as_of=expires)[0]


def test_a_store_without_anything_hides_nothing_and_mentions_nothing(store: Store, clock: HandClock) -> None:
    for view in View:
        assert hidden(store, clock, view)[0] == set()
    with store.reader(scope(clock)) as reader:
        assert reader.mentioning([NOBODY]) == reader.mentioning([]) == set()
