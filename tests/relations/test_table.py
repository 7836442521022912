"""Is the table of relations whole, and is it the only place that knows of relations?"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from training.facts import FOLDED

import treering
from treering.mind.prompts.extraction import SYSTEM
from treering.model import limits
from treering.model.edge import KNOWN_FACTS, Family, fact_relation, family_of
from treering.model.setting import SETTINGS
from treering.relations import (
    Relation,
    glosses,
    known_facts,
    table,
    with_mark,
)
from treering.relations.own import TABLE

SOURCES = Path(treering.__file__).parent
ROWS = list(table().values())
_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")

MAY_NAME = {
    "faces/cli/demo/": (None, "a story with its facts"),
    "faces/rest/examples.py": (None, "what a caller might send"),
    "mind/prompts/extraction.py": ({"WORKS_FOR"}, "the one example that a model is shown"),
    "store/": ({"FROM"}, "a word of SQL"),
    "language/when/": ({"COUNT"}, "a word of the grammar of times"),
}
"""Where a relation may stand as a literal, which, and why."""


# the rows


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_says_what_it_is(row: Relation) -> None:
    assert fact_relation(row.name) == row.name
    assert family_of(row.name) is Family.FACT
    assert row.gloss
    assert row.gloss == row.gloss.strip()
    assert not row.gloss.endswith(".")
    assert row.asked, "nobody could ask for it"
    assert set(row.ends_with) <= set(table())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_words_of_a_row_are_words_in_lower_case(row: Relation) -> None:
    assert all(word == word.lower() and word.isalpha() for word in row.asked | row.begins)


def test_a_name_stands_for_one_relation_only() -> None:
    names = [name for row in ROWS for name in (row.name, *row.also, *row.near)]
    assert len(set(names)) == len(names)
    assert [name for name in names if fact_relation(name) != name] == []


def test_the_reader_can_state_every_relation() -> None:
    """What training folds into another relation is never learned."""
    folded = {name: row for row, others in FOLDED.items() for name in others.split()}
    lost = {row.name: folded[row.name] for row in ROWS if row.name in folded}
    assert lost == {}, "training/facts.py, FOLDED: take the name out of the relation that it is folded into"


def test_an_event_that_begins_a_relation_comes_near_it() -> None:
    assert [row.name for row in ROWS if not set(row.begun_by) <= set(row.near)] == []


def test_a_family_has_more_than_one_member() -> None:
    families = Counter(row.family for row in ROWS if row.family)
    assert families
    alone = {row.name: row.family for row in ROWS if families[row.family] == 1}
    assert alone == {}, "who shares the family? give it to a second relation, or leave it out"


def test_no_two_relations_say_the_same() -> None:
    assert max(Counter(row.gloss for row in ROWS).values()) == 1


def test_the_rows_are_in_the_package_as_one_file() -> None:
    with (files("treering.relations") / "relations.toml").open("rb") as file:
        assert tomllib.load(file).keys() == table().keys()


# who reads it


def test_which_relations_close_by_themselves_is_a_column() -> None:
    assert SETTINGS["functional_relations"].default == sorted(with_mark("one_at_a_time"))
    assert SETTINGS["functional_relations"].default == [
        "BORN_IN", "BUDGET", "DEADLINE", "ENGAGED_TO", "FOLLOWS_DIET", "HAS_BLOOD_TYPE", "HAS_ROLE", "LIVES_IN",
        "LOCATED_IN", "MARRIED_TO", "PARTNER_OF", "RATE_LIMIT", "RENT", "WORKS_FOR",
    ]  # fmt: skip


def test_a_model_is_told_of_every_known_relation_and_what_it_says() -> None:
    assert known_facts() == KNOWN_FACTS == glosses().keys()
    assert len(KNOWN_FACTS) == 26
    assert "- WORKS_FOR: who somebody works for" in SYSTEM.splitlines()
    assert all(f"- {name}: {gloss}" in SYSTEM for name, gloss in glosses().items())


def test_what_ends_with_what_is_a_column() -> None:
    assert TABLE.ends_with("WORKS_FOR") == set(TABLE.names("HAS_ROLE")) == TABLE.ends_with("STUDIED_AT")
    assert TABLE.ends_with("LIKES") == frozenset()
    assert TABLE.family("MARRIED_TO") == set(TABLE.names("MARRIED_TO", "ENGAGED_TO", "PARTNER_OF"))
    assert TABLE.family("LIVES_IN") == {"LIVES_IN", "LIVE_IN", "RESIDES_IN"}
    assert TABLE.family("NO_SUCH") == {"NO_SUCH"}
    assert TABLE.aside("FRIEND_OF")
    assert TABLE.aside("FRIENDS_WITH")
    assert TABLE.aside("POSSIBLE_SAME")
    assert not TABLE.aside("WORKS_FOR")


def _strays() -> Iterator[str]:
    for path in sorted(SOURCES.rglob("*.py")):
        place = path.relative_to(SOURCES).as_posix()
        allowed = [names for start, (names, _) in MAY_NAME.items() if place.startswith(start)]
        if None in allowed:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            named = _named(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()
            for name in sorted(named.difference(*(names for names in allowed if names))):
                yield f"{place}:{node.lineno} names {name}"  # type: ignore[attr-defined]


def _named(text: str) -> set[str]:
    """A literal that is a relation, or a list of them in one string. A sentence that mentions one is prose."""
    said = re.split(r"[\s,|;]+", text.strip())
    return set(said) & set(table()) if all(_NAME.fullmatch(word) for word in said) else set()


def test_no_relation_is_a_literal_outside_the_table() -> None:
    assert list(_strays()) == [], "read it from the table: a column says what is special about a relation"


def test_every_exception_is_needed() -> None:
    literals = {
        path.relative_to(SOURCES).as_posix(): {
            name
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            for name in _named(node.value)
        }
        for path in SOURCES.rglob("*.py")
    }
    for start, (names, why) in MAY_NAME.items():
        found = {name for place, named in literals.items() if place.startswith(start) for name in named}
        assert why
        assert found >= names if names else found, start


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("WORKS_FOR", {"WORKS_FOR"}),
        ("LIKES PREFERS|DISLIKES", {"LIKES", "PREFERS", "DISLIKES"}),
        ("such as WORKS_FOR", set()),
        ("ANOTHER_ONE", set()),
        ("", set()),
    ],
)
def test_a_literal_is_told_from_prose(text: str, named: set[str]) -> None:
    assert _named(text) == named


def test_names_fit_where_relations_are_kept() -> None:
    assert max(len(name) for row in ROWS for name in (row.name, *row.also, *row.near)) <= limits.RELATION_CHARS
