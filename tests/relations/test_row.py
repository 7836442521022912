"""Who adds a row to the table and gets it wrong is told what is wrong, and how to mend it."""

from __future__ import annotations

from typing import Any

import pytest

from treering.relations import Cardinality, rows_of

WHOLE: dict[str, Any] = {
    "gloss": "what somebody won",
    "cardinality": "many",
    "value": "thing",
    "sentence": "{s} won {v}",
    "asked": "won win",
    "also": ["HAS_WON"],
}


def refusal(**changed: Any) -> str:
    with pytest.raises(ValueError, match=r"^relations\.toml: ") as caught:
        rows_of({"WINS": {**WHOLE, **changed}})
    return str(caught.value)


def test_a_whole_row_is_read() -> None:
    row = rows_of({"WINS": WHOLE})["WINS"]
    assert (row.cardinality, row.asked, row.also) == (Cardinality.MANY, {"won", "win"}, ("HAS_WON",))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"colour": "red"}, "WINS: colour = 'red' is no column; there are also, aside, asked"),
        ({"value": "zebra"}, "value = 'zebra' is not one of amount, any, condition"),
        ({"cardinality": "two"}, "cardinality = 'two' is not one of one, many, event"),
        ({"taste": "sweet"}, "taste = 'sweet' is not one of for, against"),
        ({"asked": ["won", "win"]}, "asked = ['won', 'win'] is not a text; write the words in one text"),
        ({"gloss": 7}, "gloss = 7 is not a text"),
        ({"also": "HAS_WON"}, "also = 'HAS_WON' is not a list of names, such as"),
        ({"known": "yes"}, "known = 'yes' is not true or false"),
        ({"sentence": "{s} won"}, "sentence = '{s} won' does not hold {s} for the subject and {v} for the value"),
        ({"one_at_a_time": True}, "one_at_a_time is for relations of cardinality"),
    ],
)
def test_a_column_that_says_something_else_is_told(changed: dict[str, Any], told: str) -> None:
    assert told in refusal(**changed)


@pytest.mark.parametrize("column", ["gloss", "cardinality", "sentence", "asked"])
def test_a_column_that_is_missing_is_told(column: str) -> None:
    row = {name: value for name, value in WHOLE.items() if name != column}
    with pytest.raises(ValueError, match=f"WINS: {column} is missing"):
        rows_of({"WINS": row})


def test_a_row_without_a_head_is_told() -> None:
    with pytest.raises(ValueError, match="WINS: 'many' is no row; write it under a head"):
        rows_of({"WINS": "many"})


def test_a_name_in_two_rows_is_told_with_both() -> None:
    other = {**WHOLE, "also": ["PRIZE"], "near": ["HAS_WON", "WINS"]}
    with pytest.raises(ValueError, match="keep it in one of them") as caught:
        rows_of({"WINS": WHOLE, "EARNS": other})
    assert "HAS_WON stands under near of [EARNS] and in also of [WINS]; keep it in one of them" in str(caught.value)
    assert "WINS stands under near of [EARNS] and in the row [WINS]" in str(caught.value)


def test_all_that_is_wrong_is_told_at_once() -> None:
    assert refusal(value="zebra", colour="red").count(";") >= 1
