"""What kind a statement is, by rules and a model together."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from treering.ingest.extract.contract import Extracted, Heard
from treering.ingest.extract.learned_kind import KINDS, with_kinds
from treering.mind.judges import open_reader
from treering.mind.reading import FactMood, Piece
from treering.model.memory import Kind

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
TEXT = "The ladder is at Ilse's. Barn swallows are a joy to watch."
HEARD = Heard(text=TEXT, at=AT)
MIDDLE = TEXT.index("Barn")
FIRST = Extracted(content="The ladder is at Ilse's", span=(0, MIDDLE - 1), kind=Kind.SEMANTIC)
SECOND = Extracted(content="Barn swallows are a joy", span=(MIDDLE, len(TEXT)), kind=Kind.SEMANTIC)


def seen(span: tuple[int, int], **scores: float) -> Piece:
    kinds = {kind.value: scores.get(kind.value, 0.005) for kind in KINDS}
    return Piece(span, 0.9, FactMood.SO, 0.9, "OTHER", 0.9, "semantic", 0.9, 0.6, kinds=kinds)


def kinds(pieces: list[Piece], *statements: Extracted) -> list[Kind]:
    return [one.kind for one in with_kinds(HEARD, pieces, statements)]


def test_a_model_that_is_sure_decides_each_by_its_own_words() -> None:
    pieces = [seen(FIRST.span, semantic=0.99), seen(SECOND.span, viewpoint=0.99)]
    assert kinds(pieces, FIRST, SECOND) == [Kind.SEMANTIC, Kind.VIEWPOINT]


def test_of_two_pieces_in_one_statement_the_longer_counts_for_more() -> None:
    whole = replace(FIRST, span=(0, len(TEXT)))
    assert kinds([seen((0, 3), semantic=0.99), seen((3, len(TEXT)), episode=0.99)], whole) == [Kind.EPISODE]
    rest = len(TEXT) - 3
    assert kinds([seen((0, rest), semantic=0.99), seen((rest, len(TEXT)), episode=0.99)], whole) == [Kind.SEMANTIC]


@pytest.mark.parametrize("kind", [Kind.SEMANTIC, Kind.EPISODE])
def test_where_the_model_wavers_rules_decide(kind: Kind) -> None:
    evenly = seen(FIRST.span, semantic=0.33, episode=0.33, viewpoint=0.33)
    assert kinds([evenly], replace(FIRST, kind=kind)) == [kind]


def test_a_time_speaks_for_an_episode() -> None:
    leaning = seen(FIRST.span, semantic=0.5, episode=0.4, viewpoint=0.1)
    assert kinds([leaning], FIRST, replace(SECOND, event_time=AT)) == [Kind.SEMANTIC, Kind.SEMANTIC]
    assert kinds([leaning], replace(FIRST, event_time=AT)) == [Kind.EPISODE]


def test_what_the_model_did_not_see_stays_as_rules_say() -> None:
    assert kinds([seen(SECOND.span, viewpoint=0.99)], FIRST) == [Kind.SEMANTIC]
    assert kinds([], FIRST) == [Kind.SEMANTIC]
    unsaid = replace(seen(FIRST.span), kinds={})
    assert kinds([unsaid], FIRST) == [Kind.SEMANTIC]


def test_a_change_and_its_state_and_what_is_asked_stay_as_rules_say() -> None:
    sure = [seen(FIRST.span, viewpoint=0.99)]
    change = replace(FIRST, kind=Kind.EPISODE)
    assert kinds(sure, change, FIRST) == [Kind.EPISODE, Kind.SEMANTIC]
    asked = replace(FIRST, content="User asked: where is the ladder?", kind=Kind.EPISODE)
    assert kinds(sure, asked) == [Kind.EPISODE]


def test_the_reader_of_the_package_is_sure_to_one_of_the_three() -> None:
    [piece] = open_reader().read("I adore the smell of tomato leaves", "User").pieces
    assert sum(piece.kinds.values()) == pytest.approx(1, abs=0.002)
    assert max(piece.kinds, key=lambda kind: piece.kinds[kind]) == piece.kind == "viewpoint"
