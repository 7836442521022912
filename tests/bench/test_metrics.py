"""What do the benches' measures say of rankings made by hand?"""

from __future__ import annotations

from math import log2
from pathlib import Path

import numpy as np
import pytest

from bench import conversations, corpus, finding, scores, weigh


def test_evidence_at_the_top_is_perfect() -> None:
    assert scores.score(["a", "b", "c"], ["a", "b"]) == dict.fromkeys(scores.MEASURES, 1.0)


def test_nothing_found_is_worth_nothing() -> None:
    assert scores.score([], ["a"]) == dict.fromkeys(scores.MEASURES, 0.0)
    assert scores.score(["x", "y"], ["a"]) == dict.fromkeys(scores.MEASURES, 0.0)


def test_the_sixth_place_is_a_hit_among_ten_and_not_among_five() -> None:
    found = scores.score(["1", "2", "3", "4", "5", "a"], ["a"])
    assert (found["hit@5"], found["hit@10"], found["all@10"]) == (0.0, 1.0, 1.0)
    assert found["mrr"] == pytest.approx(1 / 6)
    assert found["ndcg@10"] == pytest.approx(1 / log2(7))


def test_evidence_after_the_tenth_place_counts_for_the_mean_reciprocal_rank_alone() -> None:
    found = scores.score([*"0123456789", "a"], ["a"])
    assert found == {**dict.fromkeys(scores.MEASURES, 0.0), "mrr": pytest.approx(1 / 11)}


def test_half_of_the_evidence_is_a_hit_and_half_a_recall() -> None:
    found = scores.score(["x", "a", "y"], ["a", "b"])
    assert (found["hit@10"], found["all@10"], found["recall@10"]) == (1.0, 0.0, 0.5)
    assert found["ndcg@10"] == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3)))


def test_a_turn_that_comes_twice_takes_one_place() -> None:
    assert scores.score(["x", "x", "x", "a"], ["a"])["mrr"] == 0.5


def test_more_evidence_than_ten_places_can_still_be_ranked_ideally() -> None:
    evidence = [str(one) for one in range(15)]
    found = scores.score(evidence, evidence)
    assert found["ndcg@10"] == 1.0
    assert found["all@10"] == 0.0
    assert found["recall@10"] == pytest.approx(10 / 15)


def test_the_interval_holds_the_mean_and_is_the_same_each_time() -> None:
    values = [1.0] * 70 + [0.0] * 30
    low, high = scores.interval(values)
    assert low < 0.7 < high
    assert (low, high) == scores.interval(values)
    assert scores.interval([1.0, 1.0]) == (1.0, 1.0)


def test_evidence_written_by_hand_is_read() -> None:
    said = {"evidence": ["D8:6; D9:17", "D:11:26", "D30:05", "D", "D9:1 D4:4"]}
    assert conversations._turns_named(said) == ["D8:6", "D9:17", "D11:26", "D30:5", "D9:1", "D4:4"]


def test_a_question_none_of_whose_evidence_is_there_is_left_out() -> None:
    turns = [conversations.Turn("a", "1", "Ann", "Hello"), conversations.Turn("b", "2", "Bob", "Hi")]
    case = conversations._case("c", turns, [("q1", "?", "x", ["a", "gone"], False), ("q2", "?", "x", ["gone"], False)])
    assert [(one.id, one.evidence, one.sessions) for one in case.questions] == [("q1", ("a",), ("1",))]


def test_names_are_words_with_a_capital_inside_a_sentence() -> None:
    turn = conversations.Turn("a", "1", "Ann", "Yesterday I met Bob Miller in Santa Fe. He likes Tea! Really")
    assert finding.names_in(turn) == ["Ann", "Bob Miller", "Santa Fe", "Tea"]


def test_the_corpus_is_always_the_same_and_a_smaller_one_says_the_same_words() -> None:
    every = list(corpus.memories(12_000))
    assert every == list(corpus.memories(12_000))
    assert [one.content for one in every[:500]] == [one.content for one in corpus.memories(500)]
    assert len({one.key for one in every}) == 12_000
    assert all(5 <= len(one.content.split()) <= 25 for one in every)
    assert [one.at for one in every] == sorted(one.at for one in every)


def test_a_made_up_question_names_its_answer() -> None:
    told = {one.key: one for one in corpus.memories(2_000)}
    asked = corpus.questions(2_000, 50)
    assert len({question for question, _ in asked}) == 50
    assert all(corpus.question_about(told[key]) == question for question, key in asked)


def _samples(count: int, leading: str) -> list[weigh.Sample]:
    """Lists in which one feature tells the evidence from the rest."""
    draw = np.random.default_rng(0)
    found = []
    for number in range(count):
        features = draw.normal(size=(20, len(weigh.FEATURES))).astype(np.float32)
        evidence = features[:, weigh.FEATURES.index(leading)] == features[:, weigh.FEATURES.index(leading)].max()
        found.append(
            weigh.Sample(
                data="locomo",
                fold=number % weigh.FOLDS,
                category="single-hop",
                core=False,
                is_list=False,
                wanted=1,
                features=features,
                evidence=evidence,
                sessions=np.arange(20),
            )
        )
    return found


def test_learning_finds_the_feature_that_tells_and_leaves_the_held_ones() -> None:
    samples = _samples(60, "cover")
    learned = weigh.fit(samples, weigh.WEIGHTS)
    others = [abs(getattr(learned, name)) for name in weigh.FREE if name != "cover"]
    assert learned.cover > 3 * max(others)
    assert all(getattr(learned, name) == getattr(weigh.WEIGHTS, name) for name in weigh.HELD)
    found, by_fold = weigh.cross_validated(samples)
    assert len(by_fold) == weigh.FOLDS
    assert scores.mean(found)["hit@5"] > 0.8


def test_what_was_gathered_can_be_kept(tmp_path: Path) -> None:

    path = tmp_path / "features.npz"
    samples = _samples(3, "dense")
    weigh.keep(path, samples)
    for one, again in zip(samples, weigh.kept(path), strict=True):
        assert (one.fold, one.category, one.core, one.wanted) == (again.fold, again.category, again.core, again.wanted)
        assert np.array_equal(one.features, again.features)
        assert np.array_equal(one.evidence, again.evidence)
