"""A reranker has its say among the best: it moves hits, never the floor, and says nothing where it cannot answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.conftest import HandClock
from tests.mind.cross_encoder import written
from tests.recall.hashing import Hashing

import treering
from treering.errors import InvalidRequest, Unavailable
from treering.recall.fuse import WEIGHTS
from treering.recall.rerank import MOST_READ, READ

BOATS = [f"The boat of {name} lies in the harbour" for name in ("Ann", "Bo", "Cy", "Di", "Ed")]
QUESTION = "Which boat lies in the harbour?"


class Reranking:
    """Gives each text a number, and remembers what it was given."""

    name = "by hand"

    def __init__(self, score: Callable[[str], float]) -> None:
        self.score = score
        self.calls: list[tuple[str, list[str]]] = []

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        self.calls.append((question, list(texts)))
        return [self.score(text) for text in texts]


def opened(clock: HandClock, reranker: Reranking | str | None) -> treering.Treering:
    return treering.open(":memory:", clock=clock, embedder=Hashing(), reranker=reranker)


def filled(clock: HandClock, reranker: Reranking | str | None, texts: Sequence[str] = BOATS) -> treering.Treering:
    mem = opened(clock, reranker)
    mem.add_many([{"content": text, "speaker": "Zoe"} for text in texts])
    return mem


def contents(answer: treering.Answer) -> list[str]:
    return [hit.memory.content for hit in answer]


def test_nobody_reranks_unless_told_to(clock: HandClock) -> None:
    with filled(clock, None) as mem:
        answer = mem.recall(QUESTION, explain=True)
    assert (answer.reranked_by, answer.trouble) == (None, None)
    assert "rerank" not in answer.milliseconds
    assert all("rerank" not in hit.explanation.modifiers for hit in answer if hit.explanation)


def test_what_the_reranker_holds_for_the_best_comes_first(clock: HandClock) -> None:
    reranker = Reranking(lambda text: float("of Di" in text))
    with filled(clock, reranker) as mem:
        answer = mem.recall(QUESTION)
    assert "of Di" in contents(answer)[0]
    assert answer.reranked_by == "by hand"
    assert answer.milliseconds["rerank"] >= 0
    assert len(answer) == len(BOATS)


def test_it_reads_the_question_and_each_text_with_its_speaker_once(clock: HandClock) -> None:
    reranker = Reranking(len)
    with filled(clock, reranker) as mem:
        mem.recall(QUESTION)
    [(question, texts)] = reranker.calls
    assert question == QUESTION
    assert sorted(texts) == sorted(f"Zoe: {text}" for text in BOATS)


def test_its_word_stands_in_the_account_and_the_parts_still_add_up(clock: HandClock) -> None:
    reranker = Reranking(lambda text: {"Ann": 10.0, "Bo": 5.0}.get(text.split()[4], 0.0))
    with filled(clock, reranker) as mem:
        answer = mem.recall(QUESTION, explain=True)
    said = {}
    for hit in answer:
        assert hit.explanation is not None
        said[hit.memory.content.split()[3]] = hit.explanation.modifiers.get("rerank", 0.0)
        parts = sum(one.score for one in hit.explanation.signals.values()) + sum(hit.explanation.modifiers.values())
        assert parts == pytest.approx(hit.explanation.total, abs=0.01)
    assert said == pytest.approx(
        {"Ann": 0.0, "Bo": -WEIGHTS.rerank / 2} | dict.fromkeys(("Cy", "Di", "Ed"), -WEIGHTS.rerank)
    )


def test_where_it_finds_all_alike_nothing_moves(clock: HandClock) -> None:
    with filled(clock, None) as mem:
        before = contents(mem.recall(QUESTION))
    with filled(clock, Reranking(lambda _: 0.7)) as mem:
        assert contents(mem.recall(QUESTION)) == before


def test_only_the_best_are_read_and_what_was_not_read_stands_behind_them(clock: HandClock) -> None:
    many = [f"The boat number {number} lies in the harbour" for number in range(150)]
    reranker = Reranking(lambda text: -len(text))
    with filled(clock, reranker, many) as mem:
        few, all_there_are = mem.recall(QUESTION, limit=5), mem.recall(QUESTION, limit=100)
    read = [len(texts) for _, texts in reranker.calls]
    assert read == [READ, MOST_READ]
    assert len(few) == 5
    assert {f"Zoe: {text}" for text in contents(all_there_are)[:10]} <= set(reranker.calls[1][1])


def test_a_question_about_nothing_known_is_not_sent_to_it(clock: HandClock) -> None:
    reranker = Reranking(len)
    with treering.open(":memory:", clock=clock, embedder="turnfinder", reranker=reranker) as mem:
        mem.add(BOATS[0])
        answer = mem.recall("Who won the chess olympiad?")
    assert not answer.hits
    assert reranker.calls == []


def test_it_is_not_shown_what_the_caller_may_not_see_or_filtered_away(clock: HandClock) -> None:
    reranker = Reranking(len)
    with filled(clock, reranker) as mem:
        mem.add("My boat lies in the harbour as well", visibility="private")
        mem.add("The red boat lies in the harbour", tags=["red"])
        mem.recall(QUESTION, principal="yan")
        mem.recall(QUESTION, tags=["red"])
    assert not any("My boat" in text for text in reranker.calls[0][1])
    assert reranker.calls[1][1] == ["The red boat lies in the harbour"]


def test_spaces_that_are_asked_together_are_read_together(clock: HandClock) -> None:
    reranker = Reranking(lambda text: float("Bo" in text))
    with opened(clock, reranker) as mem:
        mem.add(BOATS[0], space="port")
        mem.add(BOATS[1], space="port/west")
        answer = mem.recall(QUESTION, space="port", children=True)
    assert contents(answer) == [BOATS[1], BOATS[0]]
    assert [len(texts) for _, texts in reranker.calls] == [2]


def test_an_endpoint_that_is_down_takes_nothing_away_and_the_answer_says_so(clock: HandClock) -> None:
    def down(_: str) -> float:
        raise Unavailable("reranker by hand at home: the connection failed")

    with filled(clock, None) as mem:
        before = contents(mem.recall(QUESTION))
    with filled(clock, Reranking(down)) as mem:
        answer = mem.recall(QUESTION)
    assert contents(answer) == before
    assert answer.reranked_by is None
    assert answer.trouble is not None
    assert answer.trouble.endswith("reranker by hand at home: the connection failed")


@pytest.mark.parametrize("told", [[1.0], [float("nan")] * 5, [[1.0]] * 5])
def test_a_reranker_that_does_not_count_right_is_refused(clock: HandClock, told: list[float]) -> None:
    reranker = Reranking(len)
    reranker.scores = lambda question, texts: told  # type: ignore[method-assign, assignment]
    with (
        filled(clock, reranker) as mem,
        pytest.raises(InvalidRequest, match=r"reranker by hand: it gave .* for 5 texts"),
    ):
        mem.recall(QUESTION)


def test_why_not_tells_of_the_reranker(clock: HandClock) -> None:
    with filled(clock, Reranking(lambda text: -float("of Ann" in text))) as mem:
        ann = next(iter(mem.list(limit=1)))
        told = mem.why_not(QUESTION, ann.id, limit=2)
    assert not told.found
    assert told.explanation is not None
    assert told.explanation.modifiers["rerank"] == -WEIGHTS.rerank
    assert "weakest in rerank" in told.reasons[0]


def test_a_door_can_be_had_without_it(clock: HandClock) -> None:
    reranker = Reranking(len)
    with filled(clock, reranker) as mem:
        assert mem.without_reranker().recall(QUESTION).reranked_by is None
        assert reranker.calls == []
        assert mem.recall(QUESTION).reranked_by == "by hand"


def test_the_environment_sets_a_cross_encoder_up(
    clock: HandClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREERING_RERANKER", "onnx")
    monkeypatch.setenv("TREERING_RERANKER_MODEL", str(written(tmp_path / "shares")))
    monkeypatch.setenv("TREERING_RERANKER_URL", "http://127.0.0.1:1/v1")  # not for this one
    with filled(clock, None, [*BOATS, "Which boat lies in the harbour"]) as mem:
        answer = mem.recall(QUESTION)
    assert answer.reranked_by == "onnx/shares"
    assert contents(answer)[0] == "Which boat lies in the harbour"


def test_a_name_that_is_none_is_refused_when_the_store_is_opened(
    clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREERING_RERANKER", "cohere")
    with pytest.raises(InvalidRequest, match="reranker: 'cohere' is not one of turnjudge, endpoint, onnx or none"):
        opened(clock, None)
