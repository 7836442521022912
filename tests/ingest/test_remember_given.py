"""What may be given to remember: conversations in order, drafts with their text; what is wrong is named by number."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import HandClock, scope
from tests.ingest.doors import door
from tests.ingest.telling import claim, day
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.errors import InvalidRequest, LimitExceeded
from treering.model.limits import MESSAGES
from treering.store.contract import Store


def test_messages_are_kept_in_order_with_who_said_them_and_when(mem: Treering, store: Store, clock: HandClock) -> None:
    receipt = mem.remember(
        messages=[
            {"role": "user", "content": "First", "at": "2025-01-01T00:00:00Z"},
            {"speaker": "Bo", "content": "Second"},
            {"content": "Third"},
        ],
        session="talk",
        speaker="Ada",
        at=day("2025-02-01"),
        extractor="none",
    )
    with store.reader(scope(clock)) as reader:
        said = [reader.source(one) for one in receipt.source_ids]
    assert [(one.content, one.speaker, one.session, one.occurred_at) for one in said if one] == [
        ("First", "user", "talk", day("2025-01-01")),
        ("Second", "Bo", "talk", day("2025-02-01")),
        ("Third", "Ada", "talk", day("2025-02-01")),
    ]
    assert [one.content for one in receipt.memories] == ["First", "Second", "Third"]


def test_a_later_message_is_related_to_an_earlier_one_of_the_same_call(store: Store, clock: HandClock) -> None:
    mem = door(store, clock, embedder=Hashing())
    receipt = mem.remember(messages=[{"content": "Ada plays the cello"}, {"content": "Ada plays the cello"}])
    assert len(receipt.memories) == 1
    assert [one.source_id for one in receipt.duplicates] == [receipt.source_ids[1]]


@pytest.mark.slow
def test_five_hundred_messages_are_taken(mem: Treering) -> None:
    receipt = mem.remember(messages=[{"content": f"Thing {n}"} for n in range(MESSAGES)], extractor="none")
    assert len(receipt.memories) == MESSAGES


def test_more_than_five_hundred_messages_are_refused(mem: Treering, store: Store) -> None:
    with pytest.raises((LimitExceeded, InvalidRequest), match="500"):
        mem.remember(messages=[{"content": f"Thing {n}"} for n in range(MESSAGES + 1)], extractor="none")
    assert store.head("lab").seq == 0


@pytest.mark.parametrize("message", [{"content": ""}, {"content": "  "}, {"role": "user"}, {"content": 7}])
def test_a_message_that_says_nothing_is_refused_by_its_number(mem: Treering, message: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest, match=r"messages\[1\]"):
        mem.remember(messages=[{"content": "Hello Ada"}, message], extractor="none")
    assert mem.status().seq == 0


@pytest.mark.parametrize("at", ["yesterday", "2025-01-01T00:00:00", 7])
def test_a_message_with_a_time_that_is_none_is_refused_by_its_number(mem: Treering, at: object) -> None:
    with pytest.raises(InvalidRequest, match=r"messages\[1\]\.at"):
        mem.remember(messages=[{"content": "One"}, {"content": "Two", "at": at}], extractor="none")
    assert mem.status().seq == 0


# drafts


@pytest.mark.parametrize(
    ("draft", "says"),
    [
        ({}, "content"),
        ({"content": ""}, "content"),
        ({"content": 7}, r""),
        ({"content": "x", "kind": "dream"}, "dream"),
        ({"content": "x", "importance": 2}, "importance"),
        ({"content": "x", "confidence": "very"}, "confidence"),
        ({"content": "x", "event_time": "2025-01-01T00:00:00"}, "event_time"),
        ({"content": "x", "color": "red"}, "color: not a field of a draft"),
        ({"content": "x", "entities": [7]}, "entities"),
        ({"content": "x", "entities": [{"title": "Ada"}]}, "entities"),
        ({"content": "x", "triples": [["Ada", "WORKS_FOR"]]}, "is not a fact"),
        ({"content": "x", "triples": [claim("Ada", "WORKS_FOR", "Bo", stance="perhaps")]}, "perhaps"),
        ({"content": "x", "cue": "hm"}, "hm"),
        ({"content": "x", "event_end": "2025-01-01T00:00:00Z"}, "event_end"),
    ],
    ids=str,
)
def test_a_draft_that_is_wrong_is_named_by_its_number_and_nothing_is_kept(
    mem: Treering, draft: dict[str, Any], says: str
) -> None:
    with pytest.raises(InvalidRequest, match=rf"drafts\[1\].*{says}"):
        mem.remember(drafts=[{"content": "Ada came"}, draft])
    assert mem.status().seq == 0


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"visible_to": ["bob"]}, "visible_to"),
        ({"tags": [f"tag {n}" for n in range(60)]}, "tags"),
        ({"drafts": [{"content": "x", "entities": [f"Ada {n}" for n in range(201)]}]}, r"drafts\[0\].entities"),
        (
            {"drafts": [{"content": "x", "triples": [["A", "KNOWS", f"B{n}"] for n in range(201)]}]},
            r"drafts\[0\].triples",
        ),
        ({"observed_by": " "}, "observed_by: is empty"),
        ({"observed_by": "\x00"}, "observed_by: holds a NUL"),
        ({"visible_to": [" "], "visibility": "private"}, "visible_to: is empty"),
    ],
    ids=["visible_to", "tags", "entities", "triples", "blank observer", "unstorable observer", "blank principal"],
)
def test_what_no_memory_could_bear_is_refused_before_anything_is_kept(
    mem: Treering, more: dict[str, Any], says: str
) -> None:
    """Kept, it would wait for ever and could never be read."""
    with pytest.raises((InvalidRequest, LimitExceeded), match=says):
        mem.remember(**{"content": "x", "extractor": "none", **more})
    assert mem.status().seq == 0


def test_drafts_that_come_with_their_text_rest_on_the_words_they_were_drawn_from(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    text = "Hi! Ada moved to Oslo. And Bo has a dog."
    receipt = mem.remember(text, drafts=[{"content": "Ada moved to Oslo."}, {"content": "Bo owns a dog"}])
    assert len(receipt.source_ids) == 1
    first, second = (mem.get(one.id) for one in receipt.memories)
    with store.reader(scope(clock)) as reader:
        source = reader.source(first.source_id)
    assert source is not None
    assert source.content == text
    assert text[slice(*first.span)] == "Ada moved to Oslo."
    assert second.span == (0, len(text))


def test_the_same_key_with_the_same_drafts_gives_the_first_result(mem: Treering) -> None:
    drafts = [{"content": "Ada came"}, {"content": "Bo left"}]
    first = mem.remember(drafts=drafts, key="k")
    again = mem.remember(drafts=drafts, key="k")
    assert again.repeated is True
    assert [one.id for one in again.memories] == [one.id for one in first.memories]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"content": ""},
        {"content": "  \n"},
        {"messages": []},
        {"drafts": []},
        {"content": "x", "messages": [{"content": "y"}]},
        {"messages": [{"content": "y"}], "drafts": [{"content": "y"}]},
    ],
    ids=str,
)
def test_nothing_to_remember_or_two_things_at_once_is_refused(mem: Treering, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest, match=r"content|messages"):
        mem.remember(**given)
    assert mem.status().seq == 0
