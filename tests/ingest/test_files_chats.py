"""Exported chats become messages with their speakers and times, whoever wrote the export."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.ingest.file_samples import (
    LINES,
    WHATSAPP_DESKTOP,
    WHATSAPP_PHONE,
    as_json,
    chatgpt,
    claude,
    telegram,
)

from treering.errors import InvalidRequest
from treering.ingest.files.chats import ChatLog
from treering.ingest.files.convert import convert
from treering.ingest.files.moments import moment


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


def chat(name: str, data: bytes) -> ChatLog:
    found = convert(name, data).chat
    assert found is not None
    return found


def said(name: str, data: bytes) -> list[tuple[str | None, str]]:
    return [(one.speaker, one.content) for one in chat(name, data).messages]


MESSAGES = [
    {"role": "user", "content": "hi", "at": "2024-03-12T09:15:00Z"},
    {"speaker": "Ana", "text": "hello", "timestamp": 1710234900},
    {"author": {"name": "Bo"}, "message": "hey", "date": "2024-03-12 10:15", "session": "s9"},
    {"from": "Cy", "content": [{"type": "text", "text": "one"}, {"text": "two"}], "create_time": 1710234900123},
    {"sender": "Di", "content": "no time"},
]  # fmt: skip


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "wrapped.json"])
def test_a_list_of_messages_is_read_whatever_its_fields_are_called(name: str) -> None:
    data = {
        "a.json": as_json(MESSAGES),
        "a.jsonl": "\n".join(json.dumps(one) for one in MESSAGES).encode(),
        "wrapped.json": as_json({"messages": MESSAGES}),
    }[name]
    found = chat(name, data).messages
    assert [(one.speaker, one.content) for one in found] == [
        ("user", "hi"),
        ("Ana", "hello"),
        ("Bo", "hey"),
        ("Cy", "one\n\ntwo"),
        ("Di", "no time"),
    ]
    assert [one.at for one in found] == [
        at(2024, 3, 12, 9, 15),
        at(2024, 3, 12, 9, 15),
        at(2024, 3, 12, 10, 15),
        at(2024, 3, 12, 9, 15, 0, 123_000),
        None,
    ]
    assert [one.session for one in found] == [None, None, "s9", None, None]


def test_of_a_tree_of_chatgpt_the_branch_last_shown_is_read() -> None:
    found = chat("conversations.json", as_json(chatgpt()))
    assert [(one.speaker, one.content) for one in found.messages] == [
        ("user", "Which tea is mild?"),
        ("assistant", "White tea."),
        ("user", "And the strongest?"),
        ("assistant", "Assam."),
    ]
    assert {one.session for one in found.messages} == {"conv-1"}
    assert found.messages[0].at == at(2024, 3, 12, 9, 15, 0, 500_000)


def test_of_a_tree_that_does_not_say_so_the_newest_leaf_is_read() -> None:
    tree = chatgpt()
    del tree[0]["current_node"]
    assert said("a.json", as_json(tree))[-1] == ("assistant", "Assam.")


def test_a_tree_that_bites_its_tail_ends() -> None:
    tree = chatgpt()
    tree[0]["mapping"]["root"]["parent"] = "a2"
    assert len(said("a.json", as_json(tree))) == 4


def test_an_export_of_claude_is_read() -> None:
    found = chat("conversations.json", as_json(claude()))
    assert [(one.speaker, one.content, one.session) for one in found.messages] == [
        ("human", "I fly to Porto in June.", "c-1"),
        ("assistant", "Lovely.", "c-1"),
    ]
    assert found.messages[1].at == at(2025, 5, 1, 10, 0, 9)


def test_an_export_of_telegram_is_read() -> None:
    found = chat("result.json", as_json(telegram()))
    [message] = found.messages
    assert (message.speaker, message.content) == ("Ana", "see example.org for the tickets")
    assert (message.at, message.session) == (at(2024, 3, 12, 9, 15), "4711")
    assert list(found.notes()) == ["left out: 1 without words, such as pictures"]


def test_lines_of_whatsapp_are_read_with_what_goes_on_below() -> None:
    found = chat("_chat.txt", WHATSAPP_PHONE.encode())
    assert [(one.speaker, one.content, one.at, one.place) for one in found.messages] == [
        ("Ana", "hi\nthis goes on\n\nand on", at(2024, 3, 12, 9, 15, 33), 2),
        ("Bo Ek", "I moved to Porto: finally", at(2024, 3, 13, 10), 6),
    ]
    assert list(found.notes()) == [
        "left out: line 1 has no speaker: 'Messages and calls are end-to-end encr…",
        "left out: 1 without words, such as pictures",
    ]


def test_a_clock_of_twelve_hours_goes_with_the_month_first() -> None:
    assert [one.at for one in chat("a.txt", WHATSAPP_DESKTOP.encode()).messages] == [
        at(2024, 3, 12, 9, 15),
        at(2024, 3, 12, 21, 15),
    ]


@pytest.mark.parametrize(
    ("lines", "days"),
    [
        (["01/02/2024", "13/02/2024"], [at(2024, 2, 1), at(2024, 2, 13)]),
        (["01/02/2024", "01/13/2024"], [at(2024, 1, 2), at(2024, 1, 13)]),
        (["02/01/2024", "01/02/2024"], [at(2024, 1, 2), at(2024, 2, 1)]),
        (["01/02/2024", "02/01/2024"], [at(2024, 1, 2), at(2024, 2, 1)]),
        (["1.2.24", "2.2.24"], [at(2024, 2, 1), at(2024, 2, 2)]),
    ],
)
def test_whether_the_day_or_the_month_comes_first_is_told_by_all_lines_together(
    lines: list[str], days: list[datetime]
) -> None:
    text = "\n".join(f"{one}, 00:00 - Ana: hi" for one in lines)
    assert [one.at for one in chat("a.txt", text.encode()).messages] == days


def test_plain_lines_with_a_date_are_read() -> None:
    assert said("chat.txt", LINES.encode()) == [("Ana", "hi"), ("Bo", "hello")]
    assert said("chat", b"[2024-03-12 09:15] Ana: hi") == [("Ana", "hi")]


@pytest.mark.parametrize(
    "text",
    [
        "2024-03-12 was a Tuesday: nice.",
        "[2024-03-12 09:15] Went out\n[2024-03-13 09:15] Stayed in",
        "\n".join(f"[2024-03-12 09:1{n}] Label {n}: words" for n in range(9)),
        "Notes\n\n[12/03/2024, 09:15] Ana: hi\nmore\nand more\nand more",
        "Ana: hi\nBo: hi",
    ],
)
def test_what_only_looks_a_little_like_a_chat_is_a_text(text: str) -> None:
    assert convert("a.txt", text.encode()).chat is None


@pytest.mark.parametrize(
    "value", [[{"name": "x", "content": "y"}], [1, 2], {"messages": [1]}, {"content": "x", "role": "user"}, [[]], []]
)
def test_data_that_is_no_chat_is_data(value: Any) -> None:
    assert convert("a.json", as_json(value)).chat is None


def test_bad_messages_are_named_by_their_line_and_left_out() -> None:
    lines = [
        '{"role": "user", "content": "hi"}',
        "{oops",
        "17",
        '{"role": "user"}',
        '{"role": "bot", "content": "ok", "at": "soon"}',
    ]
    found = convert("a.jsonl", "\n".join([*lines, lines[0]]).encode())
    assert found.chat is not None
    assert [one.content for one in found.chat.messages] == ["hi", "ok", "hi"]
    bad, left, odd = found.notes
    assert bad.startswith("left out: line 2 is not valid JSON (")
    assert left == "left out: line 3 is no message but 17; line 4 has none of content, text, message, body"
    assert odd == "without a time that can be read, taken as said with the one before: line 5"


def test_a_chat_of_which_nothing_can_be_read_is_refused() -> None:
    with pytest.raises(InvalidRequest, match=r"a.txt is a chat of which no message can be read"):
        convert("a.txt", b"[12/03/2024, 09:15] Ana: <Media omitted>")


def test_a_date_that_does_not_exist_is_told() -> None:
    found = chat("a.txt", b"[2024-02-31 09:15] Ana: hi\n[2024-03-01 09:15] Ana: ho")
    assert [one.at for one in found.messages] == [None, at(2024, 3, 1, 9, 15)]
    assert next(found.notes()).endswith("line 1")


@pytest.mark.parametrize("value", [True, None, "", "soon", -5, 1e30, float("nan"), {}, "99999999999999999999", [1]])
def test_what_is_no_time_is_none(value: object) -> None:
    assert moment(value) is None


@pytest.mark.parametrize(
    "value",
    [1710234900, 1710234900.0, 1710234900000, "1710234900", "2024-03-12T09:15:00Z", "2024-03-12 10:15:00+01:00",
     "2024-03-12T09:15:00", "2024-03-12 09:15:00 UTC", "Tue, 12 Mar 2024 09:15:00 GMT", 1710234900000000],
)  # fmt: skip
def test_a_time_is_read_in_the_ways_it_is_written(value: object) -> None:
    assert moment(value) == at(2024, 3, 12, 9, 15)
