"""What kind a statement is, by what a model sees of it."""

from __future__ import annotations

import pytest
from tests.ingest.seen import seen

from treering.ingest.extract.learned_kind import KINDS, kind_seen
from treering.mind.judges import open_reader
from treering.mind.reading import FactMood
from treering.model.memory import Kind

EVENLY = {kind.value: 0.33 for kind in KINDS}


def sure(kind: Kind) -> dict[str, float]:
    return {one.value: 0.98 if one is kind else 0.01 for one in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_that_is_sure_decides(kind: Kind) -> None:
    assert kind_seen(sure(kind), FactMood.SO, dated=False) is kind


def test_where_it_wavers_a_time_and_the_mood_speak() -> None:
    assert kind_seen(EVENLY, FactMood.SO, dated=False) is Kind.SEMANTIC
    assert kind_seen(EVENLY, FactMood.SO, dated=True) is Kind.EPISODE
    assert kind_seen(EVENLY, FactMood.INSTRUCTION, dated=False) is Kind.VIEWPOINT


def test_of_what_it_did_not_see_only_a_time_speaks() -> None:
    assert kind_seen({}, FactMood.SO, dated=False) is Kind.SEMANTIC
    assert kind_seen({}, FactMood.SO, dated=True) is Kind.EPISODE


def test_of_two_pieces_in_one_statement_the_longer_counts_for_more() -> None:
    text = "The ladder is at the barn of Ilse beside the wall"
    for cut, kind in ((4, Kind.EPISODE), (text.index("wall"), Kind.SEMANTIC)):
        pieces = [(text[:cut], {"kinds": sure(Kind.SEMANTIC)}), (text[cut:], {"kinds": sure(Kind.EPISODE)})]
        assert [one.kind for one in seen(text, pieces).extracted] == [kind]


def test_the_reader_of_the_package_is_sure_to_one_of_the_three() -> None:
    [piece] = open_reader().read("I adore the smell of tomato leaves", "User").pieces
    assert sum(piece.kinds.values()) == pytest.approx(1, abs=0.002)
    assert max(piece.kinds, key=lambda kind: piece.kinds[kind]) == piece.kind == "viewpoint"
