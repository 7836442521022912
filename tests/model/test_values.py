"""Memories, sources, entities, edges, spaces: a wrong one cannot be made, and each reads well."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.errors import InvalidRequest, LimitExceeded
from treering.model import limits
from treering.model.edge import (
    KNOWN_FACTS,
    MENTION,
    Edge,
    Family,
    Link,
    any_relation,
    fact_relation,
    family_of,
    link_relation,
)
from treering.model.entity import Entity, entity_name, fold
from treering.model.fact import Statement
from treering.model.ids import mint
from treering.model.memory import SHOWN, UNUSED, Kind, MemoryRecord, State, Tier, View, Visibility, memory_kind
from treering.model.meta import EMPTY, Meta
from treering.model.setting import SETTINGS, checked_setting
from treering.model.source import BLANK, Source, SourceKind
from treering.model.space import SpaceInfo, space_name

NOW = datetime(2026, 2, 10, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
FRESH = mint(NOW)
A, B, C = FRESH(), FRESH(), FRESH()


def memory(**more: Any) -> MemoryRecord:
    kept = {"id": A, "space": "lab", "content": "x", "said_at": NOW, "recorded_at": NOW, "source_id": B, "span": (0, 1)}
    return MemoryRecord(**{**kept, **more})


def source(**more: Any) -> Source:
    return Source(**{"id": A, "space": "lab", "content": "x", "occurred_at": NOW, "recorded_at": NOW, **more})


def edge(**more: Any) -> Edge:
    kept = {"id": A, "space": "lab", "source_id": B, "target_id": C, "relation": "KNOWS"}
    return Edge(**{**kept, "valid_from": NOW, "recorded_at": NOW, **more})


# spaces


@pytest.mark.parametrize("name", ["a", "acme", "acme/research", "a.b-c_d/9", "a/b/c/d/e/f/g/h", "..", "0"])
def test_a_space_is_a_path_of_plain_words(name: str) -> None:
    assert space_name(name) == name


@pytest.mark.parametrize(
    "name", ["", " ", "Acme", "a b", "a//b", "/a", "a/", "é", "a/b/c/d/e/f/g/h/i", "a\n", "a%", "a:b", "\x00", 7, None]
)
def test_any_other_name_of_a_space_is_refused(name: object) -> None:
    with pytest.raises(InvalidRequest, match="space"):
        space_name(name)


# kinds and relations


def test_kinds_are_known_in_their_spellings() -> None:
    assert {memory_kind(one) for one in ("fact", "semantic", Kind.SEMANTIC)} == {Kind.SEMANTIC}
    assert memory_kind("preference") is memory_kind("viewpoint") is Kind.VIEWPOINT
    assert memory_kind("episode") is Kind.EPISODE
    for wrong in ("Fact", "event", "", None, 3):
        with pytest.raises(InvalidRequest, match=r"kind: .* is not one of episode, semantic, viewpoint"):
            memory_kind(wrong)


def test_links_are_a_closed_set_with_three_other_spellings() -> None:
    assert len(Link) == 8
    for one in Link:
        assert link_relation(one) is link_relation(f" {one.value.upper()} ") is one
    assert link_relation("updates") is Link.SUPERSEDES
    assert link_relation("consolidated_from") is Link.DERIVED_FROM
    assert link_relation("related") is Link.RELATED_TO
    for wrong in ("knows", "KNOWS", "about_entity", "", "supersede"):
        with pytest.raises(InvalidRequest, match=r"relation: .* is not a link between memories; there are related_to"):
            link_relation(wrong)


@pytest.mark.parametrize(
    ("given_", "name"),
    [
        ("works for", "WORKS_FOR"),
        ("works_for", "WORKS_FOR"),
        ("Works-For", "WORKS_FOR"),
        (" likes ", "LIKES"),
        ("r2d2", "R2D2"),
    ],
)
def test_a_fact_relation_has_one_spelling(given_: str, name: str) -> None:
    assert fact_relation(given_) == any_relation(given_) == name
    assert family_of(name) is Family.FACT


@pytest.mark.parametrize("wrong", ["", "  ", "__", "9LIVES", "größer", "愛", "?", 7, None])
def test_what_cannot_be_upper_snake_is_no_fact_relation(wrong: object) -> None:
    with pytest.raises(InvalidRequest, match="relation"):
        fact_relation(wrong)


def test_a_relation_decides_its_family() -> None:
    assert family_of(MENTION) is any_relation_family("About_Entity") is Family.MENTION
    assert all(family_of(one.value) is Family.LINK for one in Link)
    assert all(family_of(one) is Family.FACT for one in KNOWN_FACTS)
    assert any_relation("Updates") == "supersedes"
    for wrong in ("knows", "Knows", "KNOWS_", "_KNOWS", "KNOWS__X", ""):
        with pytest.raises(InvalidRequest, match=r"relation: .* is neither UPPER_SNAKE"):
            family_of(wrong)


def any_relation_family(word: str) -> Family:
    return family_of(any_relation(word))


# entities


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ADA"),
        ("Ada Lovelace", "  ada   lovelace "),
        ("Ada\u00a0Lovelace", "Ada Lovelace"),
        ("Ada\nLovelace", "Ada Lovelace"),
        ("\uff21\uff44\uff41", "Ada"),
        ("Straße", "STRASSE"),
        ("é", "e\u0301"),
        ("\ufb01x", "FIX"),
        ("K", "\u212a"),
    ],
)
def test_width_case_and_blanks_do_not_make_another_name(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_other_letters_do_make_another_name() -> None:
    assert len({fold(one) for one in ("Ada", "Áda", "Ida", "Ada L", "AdaL", "A da")}) == 6


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_an_entity_keeps_its_name_tidy_and_its_aliases_once_and_without_its_own_name() -> None:
    made = Entity(
        id=A,
        space="lab",
        name="  Ada\n Lovelace ",
        aliases=("Ada", "ADA", "ada lovelace", " Countess "),
        recorded_at=NOW,
    )
    assert made.name == "Ada Lovelace"
    assert made.aliases == ("Ada", "Countess")
    assert made.kind == "concept"
    assert entity_name(" x  y ") == "x y"


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "x"},
        {"name": " "},
        {"kind": ""},
        {"aliases": "Ada"},
        {"aliases": ("",)},
        {"recorded_at": None},
        {"space": "X"},
        {"memory_id": "x"},
    ],
)
def test_a_wrong_entity_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        Entity(**{"id": A, "space": "lab", "name": "Ada", "recorded_at": NOW, **wrong})


# memories and sources


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "x"},
        {"id": A.upper()},
        {"source_id": "x"},
        {"space": "A"},
        {"content": ""},
        {"content": "  "},
        {"content": None},
        {"kind": "event"},
        {"title": ""},
        {"importance": 1.1},
        {"confidence": -0.1},
        {"strength": 2.1},
        {"importance": True},
        {"said_at": NOW.replace(tzinfo=None)},
        {"recorded_at": NOW.astimezone(timezone(HOUR))},
        {"event_time": "2026-02-10T12:00:00Z"},
        {"expires_at": NOW.replace(tzinfo=None)},
        {"event_end": NOW},
        {"event_time": NOW, "event_end": NOW - HOUR},
        {"span": (2, 1)},
        {"span": (-1, 1)},
        {"visible_to": ("bob",)},
        {"visibility": Visibility.PRIVATE},
        {"tags": ("",)},
        {"tags": "work"},
        {"meta": [1]},
    ],
)
def test_a_wrong_memory_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        memory(**wrong)


@pytest.mark.parametrize("wrong", [{"tier": "never"}, {"visibility": "open"}])
def test_a_word_outside_its_set_cannot_be_in_a_memory(wrong: dict[str, Any]) -> None:
    with pytest.raises((InvalidRequest, ValueError)):
        memory(**wrong)


def test_a_memory_holds_from_its_event_or_its_saying_whichever_is_earlier() -> None:
    assert memory().holds_from == NOW
    assert memory(event_time=NOW - HOUR).holds_from == NOW - HOUR
    assert memory(event_time=NOW + HOUR).holds_from == NOW
    assert memory(said_at=NOW - HOUR).holds_from == NOW - HOUR
    assert memory(said_at=NOW + HOUR).holds_from == NOW
    assert memory(event_time=NOW, event_end=NOW).event_end == NOW


def test_a_private_memory_is_for_its_observer_and_those_named() -> None:
    private = memory(visibility="private", observed_by="ann", visible_to=("cy",))
    assert [private.visible(one) for one in ("ann", "cy", "bob", "", None)] == [True, True, False, False, False]
    assert all(memory().visible(one) for one in ("ann", None))


def test_values_are_frozen_compare_by_content_and_turn_into_plain_data() -> None:
    for value in (memory(tags=("a",), meta={"k": [1]}), source(), edge(), SpaceInfo("lab", 1, NOW, NOW)):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[1].name, "other")
        assert copy.copy(value) == value
        assert pickle.loads(pickle.dumps(value)) == value
        plain = json.loads(json.dumps(value.to_dict()))
        assert set(plain) == {field.name for field in dataclasses.fields(value)}
    assert memory(kind="fact", tier="long").to_dict()["tier"] == "long"
    assert memory().to_dict()["said_at"] == "2026-02-10T12:00:00Z"
    assert "importance" not in repr(memory())
    assert "content='x'" in repr(memory())
    assert memory(tier="short").tier is Tier.SHORT


def test_meta_equals_a_dict_can_be_hashed_and_copied() -> None:
    meta = limits.meta({"a": 1})
    assert meta == {"a": 1}
    assert isinstance(pickle.loads(pickle.dumps(meta)), Meta)
    assert hash(meta) == hash(Meta({"a": 1}))
    assert limits.meta({}) is limits.meta(None) is EMPTY


@pytest.mark.parametrize(
    "wrong",
    [{"id": "x"}, {"content": ""}, {"speaker": ""}, {"key": ""}, {"occurred_at": None}, {"meta": 7}, {"space": ""}],
)
def test_a_wrong_source_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest):
        source(**wrong)


def test_a_source_is_of_a_kind_however_it_is_written_and_of_no_other() -> None:
    assert source(kind="document").kind is SourceKind.DOCUMENT
    with pytest.raises(ValueError, match="rumour"):
        source(kind="rumour")


def test_what_was_never_used_counts_nothing_and_is_no_stronger_for_it() -> None:
    assert dataclasses.astuple(UNUSED) == (0, None, 0, 0, 0.0)
    assert UNUSED.strengthen(0.5) == 0.5


def test_a_source_is_kept_up_to_a_mebibyte_and_not_a_byte_more() -> None:
    assert len(source(content="x" * limits.SOURCE_BYTES).content) == limits.SOURCE_BYTES
    assert source(content="é" * (limits.SOURCE_BYTES // 2)).kind is SourceKind.NOTE
    for more in ("x" * (limits.SOURCE_BYTES + 1), "é" * (limits.SOURCE_BYTES // 2) + "x"):
        with pytest.raises(LimitExceeded, match="content: 1,048,577"):
            source(content=more)


def test_a_source_is_blanked_character_by_character() -> None:
    said = source(content="Täter: Ada! 😀 ja")
    assert said.blanked([(7, 10), (12, 13)]) == f"Täter: {BLANK * 3}! {BLANK} ja"
    assert said.blanked([]) == said.blanked([(0, 0), (4, 4), (len(said.content),) * 2]) == said.content
    assert said.blanked([(0, len(said.content))]) == BLANK * len(said.content)
    for outside in ((0, 99), (-1, 2), (5, 4)):
        with pytest.raises(InvalidRequest, match="lies outside a source of"):
            said.blanked([outside])
    assert len(said.content_hash) == 64


# edges and statements


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "x"},
        {"source_id": "Ada"},
        {"target_id": None},
        {"relation": "knows"},
        {"relation": "R" * 101},
        {"confidence": 2},
        {"strength": 1.5},
        {"valid_from": None},
        {"valid_until": NOW - HOUR},
        {"memory_id": "x"},
        {"why": ""},
        {"meta": []},
        {"space": "a b"},
    ],
)
def test_a_wrong_edge_cannot_be_made(wrong: dict[str, Any]) -> None:
    with pytest.raises((InvalidRequest, LimitExceeded)):
        edge(**wrong)


def test_an_edge_knows_its_family_and_window() -> None:
    assert (edge().family, edge(relation=MENTION).family, edge(relation="causes").family) == (
        Family.FACT,
        Family.MENTION,
        Family.LINK,
    )
    assert edge(valid_until=NOW).period.empty
    assert edge(valid_until=NOW + HOUR).period.holds(NOW)


def test_a_statement_is_read_from_a_triple_or_an_object() -> None:
    said = Statement.read(["Ada", "works for", "Acme"])
    assert said == Statement.read({"subject": "Ada", "relation": "WORKS_FOR", "object": "Acme"})
    assert Statement.read(said) is said
    timed = Statement.read(
        {"subject": "A", "relation": "KNOWS", "object": "B", "valid_from": "2026-02-10T12:00:00Z", "confidence": 0.5}
    )
    assert (timed.valid_from, timed.confidence) == (NOW, 0.5)
    for wrong in (["A", "KNOWS"], ["A", "KNOWS", "B", "C"], {"subject": "A"}, "A KNOWS B", 7, {"subject": "A", "x": 1}):
        with pytest.raises(InvalidRequest, match=r"is not a fact; write \[subject, relation, object\]"):
            Statement.read(wrong)
    for wrong in (["", "KNOWS", "B"], ["A", "?", "B"], ["A", "KNOWS", " "]):
        with pytest.raises(InvalidRequest):
            Statement.read(wrong)


# states and settings


def test_states_come_in_order_of_precedence_and_every_view_shows_its_own() -> None:
    assert [one.value for one in State] == [
        "purged", "forgotten", "expired", "superseded", "archived", "promoted", "active",
    ]  # fmt: skip
    assert SHOWN[View.CURRENT] < SHOWN[View.HISTORY] < SHOWN[View.ALL]
    assert State.PURGED not in SHOWN[View.ALL]


def test_a_setting_is_checked_and_an_unknown_one_refused() -> None:
    assert checked_setting("functional_relations", ["lives in", "LIVES_IN", "knows"]) == ["KNOWS", "LIVES_IN"]
    with pytest.raises(
        InvalidRequest,
        match=r"there is no setting 'colour'; there are: about, auto_recall, consolidation, decay, embedder,",
    ):
        checked_setting("colour", "blue")
    with pytest.raises(InvalidRequest, match="is not a list of relation names"):
        checked_setting("functional_relations", "LIVES_IN")
    assert all(one.help and one.check(one.default) == one.default for one in SETTINGS.values())
