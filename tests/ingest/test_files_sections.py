"""A text is cut along its own structure, and nothing of it is lost."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.ingest.files.data import json_sections, line_sections, parsed
from treering.language.sections import MOST, TARGET, Section, sections

MANUAL = """Before everything.

# Manual

Welcome.

## Setup

### Linux ###

Run this:

```sh
# not a heading

apt install treering
```

### Windows

- one
- two

Use
===

Say **things**.

## [Ask](ask.md) `things`
Get answers.
"""


def cut(text: str, headings: bool = True) -> list[tuple[str, str]]:
    return [(" > ".join(one.path), text[one.start : one.end]) for one in sections(text, headings)]


def test_every_section_has_the_headings_it_stands_under() -> None:
    assert cut(MANUAL) == [
        ("", "Before everything."),
        ("Manual", "# Manual\n\nWelcome."),
        (
            "Manual > Setup > Linux",
            "## Setup\n\n### Linux ###\n\nRun this:\n\n```sh\n# not a heading\n\napt install treering\n```",
        ),
        ("Manual > Setup > Windows", "### Windows\n\n- one\n- two"),
        ("Use", "Use\n===\n\nSay **things**."),
        ("Use > Ask things", "## [Ask](ask.md) `things`\nGet answers."),
    ]


def test_in_what_is_not_prose_a_hash_is_no_heading() -> None:
    assert cut("# a comment\nkey: value\n\n# another\nkey: other", headings=False) == [
        ("", "# a comment\nkey: value\n\n# another\nkey: other")
    ]


def test_front_matter_is_no_heading() -> None:
    assert cut("---\ntitle: Tea\n---\n\n# Tea\n\nMild.") == [
        ("", "---\ntitle: Tea\n---"),
        ("Tea", "# Tea\n\nMild."),
    ]


def test_a_code_block_that_is_never_closed_goes_on_to_the_end() -> None:
    assert cut("text\n\n```\n# code\n\nmore") == [("", "text\n\n```\n# code\n\nmore")]


def test_paragraphs_stand_together_up_to_the_target() -> None:
    text = "\n\n".join(f"{n} " + "word " * 80 for n in range(10))
    found = sections(text)
    assert len(found) == 5
    assert all(one.end - one.start <= TARGET for one in found)


def test_what_leads_on_to_a_list_stays_with_it() -> None:
    text = "word " * 200 + "\n\nYou need:\n\n" + "- a thing to have\n" * 40
    assert len(sections(text)) == 1
    assert len(sections(text.replace(":", "."))) == 2


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    text = "This is one of the sentences. " * 200
    for one in sections(text):
        assert text[one.start : one.end].startswith("This is")
        assert text[one.start : one.end].endswith(".")


def test_a_long_table_and_long_code_are_cut_between_lines() -> None:
    for text in ("| a | b |\n" * 600, "```\n" + "x = 1  # one. Two.\n" * 400 + "```"):
        pieces = cut(text)
        assert len(pieces) > 2
        assert {line for _, piece in pieces for line in piece.split("\n")} <= set(text.split("\n"))


@pytest.mark.parametrize("text", ["漢" * 9000, "\u0627" * 9000, "e\u0301" * 5000, "\u0301" * 9000, "👩\u200d🔬" * 2000])
def test_what_has_no_place_to_cut_is_cut_all_the_same(text: str) -> None:
    found = sections(text)
    assert "".join(text[one.start : one.end] for one in found) == text
    assert all(one.end - one.start <= MOST for one in found)


def test_an_accent_stays_with_its_letter() -> None:
    text = "x" + "e\u0301" * 5001
    assert all(text[one.start] != "\u0301" for one in sections(text))


_PIECES = st.sampled_from(
    ["# H", "## Sub", "### ", "Title\n====", "Title\n---", "```", "~~~~", "- item", "1. one", "| a | b |", "> said",
     "---", "\n", "\n\n", "  ", "\t", "word ", "A sentence. ", "漢字。", "שלום עולם ", "e\u0301", "x" * 1300,
     "y. " * 500, "\n\n\n# ", "z\n" * 900]
)  # fmt: skip


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(_PIECES | st.text(max_size=30), max_size=40).map("\n".join) | st.text(max_size=4000), st.booleans())
def test_the_sections_hold_every_character_but_blanks_once_and_none_is_too_long(text: str, headings: bool) -> None:
    at = 0
    for one in sections(text, headings):
        assert not text[at : one.start].strip()
        assert at <= one.start < one.end
        assert one.end - one.start <= MOST
        assert text[one.start : one.end].strip()
        at = one.end
    assert not text[at:].strip()


# JSON


def found(text: str) -> list[tuple[str, str]]:
    return [(" > ".join(one.path), text[one.start : one.end]) for one in json_sections(text, parsed("x", text))]


def test_every_record_of_a_list_is_a_section_by_its_name_or_number() -> None:
    assert found('[{"name": "Ann", "age": 3},\n {"age": 4}]') == [
        ("Ann", '{"name": "Ann", "age": 3}'),
        ("2", '{"age": 4}'),
    ]


def test_a_small_object_is_one_section() -> None:
    assert found(' {"a": 1, "b": [1, 2]}\n') == [("", '{"a": 1, "b": [1, 2]}')]


def test_a_large_object_is_looked_into() -> None:
    text = '{"small": 1, "other": 2, "deep": {"long": "%s", "rest": [{"id": "r1"}, {"id": "r2"}]}}' % ("word " * 300)
    assert [(path, piece[:20]) for path, piece in found(text)] == [
        ("", '"small": 1, "other":'),
        ("deep > long", '"' + "word " * 3 + "word"),
        ("deep", '"rest": [{"id": "r1"'),
    ]


@settings(max_examples=examples(40), deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=2000),
        lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=10), inner, max_size=6),
        max_leaves=25,
    ),
    st.sampled_from([None, 2]),
)
def test_sections_of_json_are_in_order_and_never_too_long(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    at = 0
    for one in json_sections(text, value):
        assert at <= one.start < one.end <= len(text)
        assert one.end - one.start <= MOST
        at = one.end


def test_lines_of_json_are_sections_of_their_own() -> None:
    text = '{"title": "A"}\n{"b": 2}'
    assert line_sections(text, [(0, 14, {"title": "A"}), (15, 23, {"b": 2})]) == [
        Section(0, 14, ("A",)),
        Section(15, 23, ()),
    ]
