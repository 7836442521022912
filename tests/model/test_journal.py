"""Changes, entries and the chain: everything survives being written down, and nothing can be altered unseen."""

from __future__ import annotations

import json
import typing
from dataclasses import replace
from datetime import UTC, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples
from tests.model.drawn import AT, SPACE, chained, some_changes

from treering.errors import Corrupted, InvalidRequest
from treering.model import changes as c
from treering.model.codec import canonical, decode, encode
from treering.model.edge import Edge, Link
from treering.model.entity import Entity
from treering.model.identity import Identity, signed_by
from treering.model.ids import mint
from treering.model.journal import GENESIS, Head, Leaf, edge_message, seal, write_line
from treering.model.memory import Kind, Mark, MemoryRecord, Tier, Use, Visibility
from treering.model.source import Source, SourceKind

texts = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1, max_size=20).filter(
    lambda text: bool(text.strip())
)
times = st.datetimes(timezones=st.just(UTC))
ids = st.builds(lambda at: mint(at)(), st.just(AT))
shares = st.floats(0, 1)
metas = st.dictionaries(texts, st.none() | st.booleans() | st.integers() | texts | st.lists(texts), max_size=3)


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


@st.composite
def memories(draw: st.DrawFn) -> MemoryRecord:
    begins = draw(maybe(times))
    private = draw(st.booleans())
    return MemoryRecord(
        id=draw(ids),
        space=SPACE,
        content=draw(texts),
        kind=draw(st.sampled_from(Kind)),
        title=draw(maybe(texts)),
        context=draw(maybe(texts)),
        tags=tuple(draw(st.lists(texts, max_size=3))),
        meta=draw(metas),
        importance=draw(shares),
        confidence=draw(shares),
        strength=draw(st.floats(0, 2)),
        tier=draw(st.sampled_from(Tier)),
        event_time=begins,
        event_end=draw(maybe(times.filter(lambda end: end >= begins))) if begins and begins.year < 9000 else None,
        said_at=draw(times),
        recorded_at=AT,
        expires_at=draw(maybe(times)),
        source_id=draw(ids),
        span=(3, draw(st.integers(3, 99))),
        observed_by=draw(texts),
        visibility=Visibility.PRIVATE if private else Visibility.SPACE,
        visible_to=tuple(draw(st.lists(texts, max_size=2))) if private else (),
    )


edges = st.builds(
    lambda begins, ends, **more: Edge(
        space=SPACE, recorded_at=AT, valid_from=min(begins, ends or begins), valid_until=ends, **more
    ),
    times,
    maybe(times),
    id=ids,
    source_id=ids,
    target_id=ids,
    relation=st.sampled_from(("KNOWS", "about_entity", *(one.value for one in Link))),
    confidence=shares,
    strength=shares,
    memory_id=maybe(ids),
    observed_by=maybe(texts),
    rule=maybe(texts),
    why=maybe(texts),
    signature=maybe(texts),
    meta=metas,
).filter(lambda edge: edge.valid_until is None or edge.valid_from <= edge.valid_until)
sources = st.builds(
    Source,
    id=ids,
    space=st.just(SPACE),
    content=texts,
    kind=st.sampled_from(SourceKind),
    speaker=maybe(texts),
    session=maybe(texts),
    key=maybe(texts),
    occurred_at=times,
    recorded_at=st.just(AT),
    meta=metas,
)
entities = st.builds(
    Entity,
    id=ids,
    space=st.just(SPACE),
    name=texts,
    kind=texts,
    aliases=st.lists(texts, max_size=3).map(tuple),
    recorded_at=st.just(AT),
    memory_id=maybe(ids),
)
CHANGES: dict[type, st.SearchStrategy[Any]] = {
    c.SourceAdded: st.builds(c.SourceAdded, sources),
    c.SourceTold: st.builds(
        c.SourceTold,
        ids,
        st.lists(texts).map(tuple),
        maybe(texts),
        maybe(texts),
        st.lists(st.fixed_dictionaries({"content": texts})).map(tuple),
    ),
    c.SourceRestated: st.builds(c.SourceRestated, sources, times),
    c.MemoryAdded: st.builds(c.MemoryAdded, memories()),
    c.EntityAdded: st.builds(c.EntityAdded, entities),
    c.AliasesAdded: st.builds(c.AliasesAdded, ids, st.lists(texts).map(tuple), maybe(ids)),
    c.EdgeAdded: st.builds(c.EdgeAdded, edges),
    c.EdgeClosed: st.builds(c.EdgeClosed, ids, times, maybe(times), texts, maybe(ids), maybe(texts)),
    c.EdgeReopened: st.builds(c.EdgeReopened, ids, maybe(times), maybe(texts), maybe(ids), maybe(texts)),
    c.EdgeRepeated: st.builds(c.EdgeRepeated, ids, ids, times, st.floats(0, 1)),
    c.Marked: st.builds(c.Marked, st.sampled_from(c.Thing), ids, st.sampled_from(Mark), st.booleans(), maybe(texts)),
    c.Reinforced: st.builds(c.Reinforced, ids, ids, st.tuples(st.integers(0, 9), st.integers(9, 99)), st.booleans()),
    c.Attested: st.builds(c.Attested, ids, texts, texts, texts),
    c.Used: st.builds(
        c.Used,
        ids,
        st.sampled_from(Use),
        st.floats(0, 2),
        st.booleans(),
        st.integers(0, 9),
        maybe(times),
    ),
    c.EntityMerged: st.builds(c.EntityMerged, ids, ids, texts, maybe(texts)),
    c.EntitySplit: st.builds(c.EntitySplit, ids, ids, maybe(texts)),
    c.SettingChanged: st.builds(
        c.SettingChanged, st.just("functional_relations"), st.lists(st.sampled_from(("KNOWS", "LIKES")), unique=True)
    ),
    c.KeyBound: st.builds(c.KeyBound, texts, texts),
    c.Purged: st.builds(
        c.Purged,
        st.lists(st.builds(c.Gone, st.sampled_from(c.Thing), ids), max_size=3).map(tuple),
        st.lists(st.builds(c.Cut, st.integers(1, 9), st.integers(0, 9)), max_size=3).map(tuple),
        maybe(texts),
    ),
    c.Received: st.builds(
        c.Received,
        st.integers(1, 10**6),
        times,
        texts,
        texts,
        st.lists(st.just("a" * 64), max_size=3).map(tuple),
        st.just("b" * 64),
        st.just("c" * 64),
        st.just("d" * 64),
        maybe(texts),
    ),
    c.Kept: st.builds(c.Kept, st.none(), maybe(texts)),
}


def test_every_kind_of_change_is_drawn_here() -> None:
    assert set(CHANGES) == set(typing.get_args(c.Change))
    names = {c.change_name(one.__new__(one)) for one in CHANGES}
    assert len(names) == len(CHANGES)


@pytest.mark.parametrize("kind", CHANGES, ids=lambda kind: kind.__name__)
def test_a_change_survives_being_written_and_read(kind: type) -> None:
    @settings(max_examples=examples(60), deadline=None)
    @given(CHANGES[kind])
    def survives(change: Any) -> None:
        text = c.write_change(change)
        again = c.read_change(json.loads(text), SPACE, AT)
        assert again == change
        assert c.write_change(again) == text
        assert text == canonical(json.loads(text))

    survives()


def test_canonical_text_is_sorted_tight_unicode_and_knows_no_nan() -> None:
    assert canonical({"b": 1, "a": ["é", None, True, 0.5]}) == '{"a":["é",null,true,0.5],"b":1}'
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical(float("nan"))


def test_what_is_left_at_its_default_is_not_written() -> None:
    entity = Entity(id=mint(AT)(), space=SPACE, name="Ada", recorded_at=AT)
    assert set(encode(entity)) == {"id", "name"}
    assert decode(Entity, encode(entity), space=SPACE, recorded_at=AT) == entity


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"change": "exploded"},
        {"change": "memory_added"},
        {"change": "marked", "thing": "planet", "id": "x", "mark": "forgotten", "on": True},
        {"change": "key_bound", "actor": "a", "public_key": "k", "more": 1},
        {"change": "edge_closed", "edge_id": "x", "valid_until": None, "previous": None, "rule": "r"},
    ],
)
def test_a_change_nobody_could_have_written_is_corrupted(data: dict[str, Any]) -> None:
    with pytest.raises((Corrupted, InvalidRequest)):
        c.read_change(data, SPACE, AT)


def test_each_entry_follows_the_one_before_and_no_other() -> None:
    one, two, three = chained(3)
    assert (one.seq, one.prev_hash) == (1, GENESIS)
    assert one.follows(Head()) is None
    assert two.follows(one.head()) is None
    assert "must follow" in str(three.follows(one.head()))
    assert "must follow" in str(one.follows(one.head()))
    assert "is not the hash" in str(two.follows(replace(one.head(), hash="f" * 64)))
    assert "is not after" in str(two.follows(replace(one.head(), at=two.at)))


def test_an_entry_whose_parts_were_altered_says_what_is_wrong() -> None:
    [entry] = chained(1)
    assert entry.own_fault() is None
    for altered in (
        replace(entry, actor="eve"),
        replace(entry, op="forget"),
        replace(entry, at=entry.at + timedelta(microseconds=1)),
        replace(entry, seq=2),
        replace(entry, prev_hash="1" * 64),
        replace(entry, payload_hash="1" * 64),
        replace(entry, hash="1" * 64),
        replace(entry, leaves=entry.leaves[::-1]),
        replace(entry, leaves=entry.leaves[1:]),
        replace(entry, leaves=(Leaf("1" * 64), *entry.leaves[1:])),
        replace(entry, leaves=(replace(entry.leaves[0], text="{}"), *entry.leaves[1:])),
        replace(entry, leaves=(replace(entry.leaves[0], salt="0" * 32), *entry.leaves[1:])),
    ):
        assert altered.own_fault() is not None


def test_a_change_cut_out_leaves_its_hash_and_the_chain_holds() -> None:
    one, two = chained(2, Identity.generate())
    cut = one.cut([0, 2])
    assert [leaf.purged for leaf in cut.leaves] == [True, False, True]
    assert cut.follows(Head()) is None
    assert two.follows(cut.head()) is None
    assert cut.hash == one.hash
    assert "Ada" not in cut.payload()
    assert "Ada" not in write_line(cut)
    assert all(leaf.salt is None for leaf in cut.leaves if leaf.purged)
    with pytest.raises(Corrupted, match="has no change 3 to purge"):
        one.cut([3])


def test_what_an_entry_says_of_a_thing_is_found_past_what_was_purged_without_reading_the_rest() -> None:
    (whole,) = chained(1)
    first, _, unreadable = whole.cut([1]).leaves
    entry = replace(whole, leaves=(first, whole.cut([1]).leaves[1], replace(unreadable, text="{")))
    (_, added) = whole.numbered_changes[0]
    assert list(entry.changes_about(frozenset(added.about))) == [(0, added)]
    nobody = frozenset({mint(AT)()})
    assert list(entry.changes_about(nobody)) == []
    assert not entry.belongs_to(nobody)


def test_equal_changes_give_unequal_hashes_so_that_nobody_can_confirm_a_guess() -> None:
    changes = some_changes()
    one, two = (seal(changes, space=SPACE, head=Head(), at=AT, actor="ann") for _ in range(2))
    assert {leaf.hash for leaf in one.leaves}.isdisjoint(leaf.hash for leaf in two.leaves)


def test_a_signature_is_of_the_entry_and_by_its_key_alone() -> None:
    ann, eve = Identity.generate(), Identity.generate()
    [entry] = chained(1, ann)
    assert entry.signature is not None
    assert signed_by(ann.public, entry.signature, bytes.fromhex(entry.hash))
    assert not signed_by(eve.public, entry.signature, bytes.fromhex(entry.hash))
    assert not signed_by(ann.public, entry.signature, b"other")
    for wrong in ("", "!", "A" * 86, entry.signature + "=", entry.signature[:-1]):
        assert not signed_by(ann.public, wrong, bytes.fromhex(entry.hash))
    assert not signed_by("not a key", entry.signature, bytes.fromhex(entry.hash))


def test_an_identity_is_made_again_from_its_secret_and_never_shows_it() -> None:
    ann = Identity.generate()
    assert Identity.from_secret(f" {ann.secret()}\n") == ann
    assert ann.secret() not in repr(ann)
    for wrong in ("", "x", "AAAA", ann.secret() + "AA", "ü"):
        with pytest.raises(InvalidRequest, match="identity"):
            Identity.from_secret(wrong)


def test_what_is_signed_of_an_edge_is_its_ends_relation_observer_and_window() -> None:
    fresh = mint(AT)
    said = Edge(
        id=fresh(), space=SPACE, source_id=fresh(), target_id=fresh(), relation="KNOWS", observed_by="ann",
        valid_from=AT, recorded_at=AT,
    )  # fmt: skip
    for change in (
        {"source_id": fresh()},
        {"target_id": fresh()},
        {"relation": "LIKES"},
        {"observed_by": "bob"},
        {"valid_from": AT - timedelta(seconds=1)},
        {"valid_until": AT},
    ):
        assert edge_message(replace(said, **change)) != edge_message(said)
    assert edge_message(replace(said, confidence=0.1, meta={"x": 1}, id=fresh())) == edge_message(said)
